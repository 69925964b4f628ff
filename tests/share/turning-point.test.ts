import { expect, test } from 'vitest';
import { turningPoint } from '../../src/share/turning-point';

const run = (...success: number[]) => success.map((each, i) => ({ iteration: i + 1, success: each }));
const rollout = (iteration: number, success: boolean) => ({ iteration, success });

test('where success came to stay above the middle of its rise', () => {
  const kept = [rollout(1, true), rollout(1, false), rollout(3, false), rollout(5, false), rollout(5, true)];
  const found = turningPoint(run(0.1, 0.6, 0.2, 0.7, 0.9), kept);
  expect(found).toEqual({ iteration: 4, from: 0.1, to: 0.9, before: kept[2], after: kept[4] });
});

test('of a side without a rollout, nothing is said', () => {
  expect(turningPoint(run(0, 1), [rollout(2, false)])).toMatchObject({ iteration: 2, before: null, after: null });
});

test('no change where there is no rise, or no run', () => {
  expect(turningPoint([], [])).toBeNull();
  expect(turningPoint(run(0.5), [])).toBeNull();
  expect(turningPoint(run(0.5, 0.65), [])).toBeNull();
  expect(turningPoint(run(0.9, 0.1), [])).toBeNull();
});
