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

/** Worlds whose reflex comes near the agent: their success does not show what they are for. */
const near = ['sokoban'];

const opened = async ({ config }: Preset): Promise<RunSetup> =>
  prepareRun(config, builtInEnvironments[config.environment.name], await emptySandbox());

describe.each(presets)('$name', (preset) => {
  const world = preset.config.environment.name;
  test(`the recorded agent is ${near.includes(world) ? 'not ' : ''}ten points above the reflex`, async () => {
    const reflex = successRate(await new Evaluation(await opened(preset)).runScript('reflex'));
    const distance = recordedRun(preset.name).heldOut!.end.validation - reflex;
    if (near.includes(world)) expect(distance).toBeLessThan(0.1);
    else expect(distance).toBeGreaterThanOrEqual(0.1);
  });
});
