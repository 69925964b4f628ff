/** Diagnostics and filters that need no model: what they say of clear cases. Numbers are in vectors.test.ts. */
import { expect, test } from 'vitest';
import { collapseMetrics } from '../../src/rl/diagnostics/collapse';
import { explainedVariance } from '../../src/rl/diagnostics/explained-variance';
import { keptGroups, type RolloutFilter } from '../../src/rl/rollouts/filter';

test('a critic explains all, nothing or less; equal returns leave nothing to explain', () => {
  const returns = [1, 0, 0.5, 0.25];
  expect(explainedVariance(returns, returns)).toBe(1);
  expect(explainedVariance([3, 3, 3, 3], returns)).toBe(0);
  expect(explainedVariance([0, 1, 0.5, 0.75], returns)).toBeLessThan(0);
  expect(explainedVariance([1, 2], [0.97, 0.97])).toBeNull();
  expect(explainedVariance([], [])).toBeNull();
});

test('texts that name their task have all the information; texts that ignore it have none', () => {
  const telling = collapseMetrics(
    [
      [-1, -80, -80],
      [-80, -1, -80],
      [-80, -80, -1],
    ],
    [0, 1, 2],
  );
  expect(telling.mutualInformation).toBeCloseTo(Math.log(3), 9);
  expect(telling.retrievalAccuracy).toBe(1);
  const collapsed = collapseMetrics(
    [
      [-2, -2, -2],
      [-5, -5, -5],
      [-1, -1, -1],
    ],
    [0, 1, 2],
  );
  expect(collapsed.mutualInformation).toBeCloseTo(0, 12);
  expect(collapsed.conditionalEntropy).toBeCloseTo(8 / 3, 12);
  expect(collapsed.retrievalAccuracy).toBeCloseTo(1 / 3, 12);
});

test.each<[RolloutFilter['strategy'], number]>([
  ['top-p-linear', 0.9],
  ['top-p-softmax', 0.5],
  ['top-k-share', 0.5],
  ['top-k', 2],
  ['min-p', 0.5],
])('%s keeps groups by their spread, wherever they stand, and none without', (strategy, value) => {
  const filter = { strategy, value, includeZero: false };
  const groups = [[1, 1], [0, 4], [0.97, 0.97, 0.97], [0, 1], [7], [0, 3]];
  const kept = keptGroups(groups, filter);
  expect(kept).toContain(1);
  expect(kept.some((i) => [0, 2, 4].includes(i))).toBe(false);
  expect(kept).toEqual(kept.toSorted((a, b) => a - b));
  const reversed = keptGroups(groups.toReversed(), filter).map((i) => groups.length - 1 - i);
  expect(reversed.toSorted((a, b) => a - b)).toEqual(kept);
  expect(
    keptGroups(
      [
        [1, 1],
        [2, 2],
      ],
      filter,
    ),
  ).toEqual([]);
});
