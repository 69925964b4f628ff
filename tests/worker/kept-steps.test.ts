/** Which steps of a run keep a checkpoint. */
import { expect, test } from 'vitest';
import { isCheckpointDue, keptSteps, maxCheckpoints } from '../../src/run/store/kept-iterations';

/** What is kept after each step of a run that begins after `first`. */
function afterEachStep(first: number, last: number): number[][] {
  const moments: number[][] = [];
  let kept: number[] = [];
  for (let step = first; step <= last; step++) {
    if (isCheckpointDue(step, first, last)) kept = keptSteps([...kept, step], first, step);
    moments.push(kept);
  }
  return moments;
}

test('a short run keeps many of its steps, a long one as many, evenly spread', () => {
  expect(afterEachStep(0, 6).at(-1)).toEqual([0, 1, 2, 3, 4, 5, 6]);
  expect(afterEachStep(0, 16).at(-1)).toEqual([0, 2, 4, 6, 8, 10, 12, 14, 16]);
  expect(afterEachStep(0, 80).at(-1)).toEqual([0, 8, 16, 24, 32, 40, 48, 56, 64, 72, 80]);
  expect(afterEachStep(40, 83).at(-1), 'of a branch').toEqual([40, 44, 48, 52, 56, 60, 64, 68, 72, 76, 80, 83]);
});

test('at every moment there are at most twelve, with the first and one that is not far behind', () => {
  for (const first of [0, 7, 40])
    for (const [i, kept] of afterEachStep(first, first + 2000).entries()) {
      const now = first + i;
      expect(kept.length).toBeLessThanOrEqual(maxCheckpoints);
      expect(kept[0]).toBe(first);
      expect(now - kept.at(-1)!).toBeLessThanOrEqual(i / 5);
    }
});

test('a run that goes on from an earlier step takes the same steps again', () => {
  const whole = afterEachStep(0, 60);
  let kept = whole[50].filter((step) => step <= 30);
  for (let step = 31; step <= 60; step++) if (isCheckpointDue(step, 0, 60)) kept = keptSteps([...kept, step], 0, step);
  expect(kept).toEqual(whole[60]);
});
