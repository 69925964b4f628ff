/** Recorded rollouts are drawn as they were played, also where chance decided what happened. */
import { expect, test } from 'vitest';
import { presets } from '../../src/config/presets';
import { environmentSource } from '../../src/config/environment-source';
import { drawRollouts } from '../../src/rl/diagnostics/drawn-rollouts';
import { prepareRun } from '../../src/rl/rollouts/setup';
import { emptySandbox } from '../environments/own';
import { recordedRun } from '../helpers/recorded-run';

/** How many practised rollouts of each preset are drawn; from the first to the last iteration. */
const sample = 24;

test.each(presets)('$name', async ({ name, config }) => {
  const sandbox = await emptySandbox();
  const { description } = await prepareRun(config, environmentSource(config), sandbox);
  const { answers, rollouts } = recordedRun(name);
  const step = Math.ceil(rollouts.length / sample);
  const chosen = [...answers.flat(), ...rollouts.filter((_, i) => i % step === 0)];
  const drawings = (await drawRollouts({ config, description, sandbox }, chosen))!;
  expect(drawings.filter((drawing) => 'problem' in drawing)).toEqual([]);
});
