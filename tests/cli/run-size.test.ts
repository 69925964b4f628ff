import { expect, test } from 'vitest';
import { likelyMs, sizeLine } from '../../src/cli/run-size';
import { presetByName } from '../../src/config/presets';

test('the line of a run’s size has its memory as the page writes it', () => {
  expect(sizeLine({ name: 'CPU' }, { parameters: 109_600, totalBytes: 80_900_000 })).toBe(
    'Model: 110K parameters. Memory: 80.9 MB on CPU.',
  );
});

test('the likely time is that of sampling and learning in each step, and of the validations', () => {
  const { config } = presetByName('calculator');
  const ten = {
    ...config,
    iterations: 10,
    rollout: { ...config.rollout, tasks: 4, group: 8 },
    evaluation: { tasks: 16, every: 5 },
  };
  // A step plays 32 episodes, twice as many as a validation; steps 1, 5 and 10 validate.
  expect(likelyMs(ten, 0, 1000)).toBe(10 * 2 * 2000 + 3 * 1000);
  expect(likelyMs(ten, 8, 1000)).toBe(2 * 2 * 2000 + 1000);
  expect(likelyMs(ten, 10, 1000)).toBe(0);
});
