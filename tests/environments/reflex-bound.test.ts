/**
 * What a rule solves that leaves out what must be found, `policies.reflex`, says what an agent's success is worth. It
 * plays the tasks on which the recorded agent was measured.
 */
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { presets, type Preset } from '../../src/config/presets';
import { builtInEnvironments } from '../../src/environments/built-in';
import { Evaluation, successRate } from '../../src/rl/rollouts/evaluation';
import { prepareRun, type RunSetup } from '../../src/rl/rollouts/setup';
import { recordedRun } from '../helpers/recorded-run';
import { emptySandbox } from './own';

const opened = async ({ config }: Preset): Promise<RunSetup> =>
  prepareRun(config, builtInEnvironments[config.environment.name], await emptySandbox());

const rowsOfReadme = new Map(
  [...readFileSync('README.md', 'utf8').matchAll(/^\| `([a-z-]+)` \| .*? \| ([\d.]+) \| [\d.]+ \|/gm)].map(
    ([, world, reflex]) => [world, Number(reflex)],
  ),
);

/** Their agents leave out digits of larger numbers, says the README. */
const carriesNothingOver = ['calculator', 'calculator-mini'];

describe.each(presets)('$name', (preset) => {
  test('the recorded agent is ten points above the reflex, which solves what the README says', async () => {
    const { tasks, end } = recordedRun(preset.name).heldOut!;
    const evaluation = new Evaluation(await opened(preset), tasks);
    const reflex = successRate(await evaluation.runScript('reflex'));
    expect(end.validation - reflex).toBeGreaterThanOrEqual(0.1);
    expect(rowsOfReadme.get(preset.name)).toBe(Number((100 * reflex).toFixed(1)));
    if (end.outOfDistribution === null || carriesNothingOver.includes(preset.name)) return;
    const outside = successRate(await evaluation.runScript('reflex', 'out-of-distribution'));
    expect(end.outOfDistribution - outside).toBeGreaterThanOrEqual(0.1);
  });
});
