/** With its default settings, PPO's critic explains the returns of a real world. */
import { expect, test } from 'vitest';
import { openSandbox } from '../../src/cli/engine';
import { quietHooks, readRecordedStart } from '../../src/cli/recorded-start';
import { environmentSource } from '../../src/config/environment-source';
import { presetByName } from '../../src/config/presets';
import { withAlgorithm } from '../../src/config/with-algorithm';
import { Trainer } from '../../src/rl/trainer';
import { testDevice } from '../helpers/devices';

test('by iteration 10, PPO’s explained variance on the mini calculator exceeds .3, with room', async () => {
  const config = { ...withAlgorithm(presetByName('calculator-mini').config, 'ppo'), iterations: 10 };
  const once = { ...config, evaluation: { tasks: 1, every: 1000 } };
  const hooks = { ...quietHooks, readRecordedStart };
  const source = environmentSource(config);
  const trainer = await Trainer.create(await testDevice(), await openSandbox(), once, source, hooks);
  await trainer.warmStart();
  const explained: number[] = [];
  const success: number[] = [];
  for (let i = 0; i < 10; i++) {
    const { metrics } = await trainer.iterate();
    explained.push(metrics.diagnostics!.explainedVariance ?? 0);
    success.push(metrics.success);
  }
  const { criticAlone } = trainer.progress;
  trainer.destroy();
  const words = `explained ${explained.map((value) => value.toFixed(2)).join(' ')}`;
  expect(explained[0], 'a head of zeros explains nothing').toBe(0);
  for (const value of explained.slice(1, 5)) expect(value, words).toBeGreaterThan(0.3);
  expect(criticAlone, 'its warm-up ends as soon as it explains enough').toBe(1);
  // Of the few failures of a solved task, most are chance, which no critic explains.
  expect(success.at(-1), words).toBeGreaterThan(0.9);
});
