/**
 * What a rule solves that leaves out what must be found, `policies.reflex`, says what an agent's success is worth. It
 * plays the preset's own validation list, on which the recorded agent was measured.
 */
import { describe, expect, test } from 'vitest';
import { presets, type Preset } from '../../src/config/presets';
import { builtInEnvironments } from '../../src/environments/built-in';
import { Evaluation, successRate } from '../../src/rl/rollouts/evaluation';
import { prepareRun, type RunSetup } from '../../src/rl/rollouts/setup';
import { recordedRun } from '../helpers/recorded-run';
import { emptySandbox } from './own';

const opened = async ({ config }: Preset): Promise<RunSetup> =>
  prepareRun(config, builtInEnvironments[config.environment.name], await emptySandbox());

describe.each(presets)('$name', (preset) => {
  test('the recorded agent is ten points above the reflex', async () => {
    const reflex = successRate(await new Evaluation(await opened(preset)).runScript('reflex'));
    expect(recordedRun(preset.name).heldOut!.end.validation - reflex).toBeGreaterThanOrEqual(0.1);
  });
});
