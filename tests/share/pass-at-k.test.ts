import { expect, test } from 'vitest';
import { passAtK, passRates, passSizes } from '../../src/share/pass-at-k';
import { sampleResults } from '../helpers/results';

/** All ways to draw k of n attempts, of which the first c solve. */
function byCounting(n: number, c: number, k: number): number {
  const draws = Array.from({ length: 2 ** n }, (_, bits) =>
    Array.from({ length: n }, (_, i) => (bits >> i) & 1),
  ).filter((drawn) => drawn.filter((bit) => bit === 1).length === k);
  return draws.filter((drawn) => drawn.slice(0, c).includes(1)).length / draws.length;
}

test('it is the share of all draws of k attempts that hold one which solves', () => {
  for (const n of [1, 2, 5, 8])
    for (let c = 0; c <= n; c++)
      for (let k = 1; k <= n; k++) expect(passAtK([c], n, k), `${c} of ${n}, k ${k}`).toBeCloseTo(byCounting(n, c, k));
});

test('one attempt is the mean rate, all attempts the share of tasks solved at least once', () => {
  const solved = [0, 1, 64, 256];
  expect(passAtK(solved, 256, 1)).toBeCloseTo((0 + 1 + 64 + 256) / 4 / 256, 12);
  expect(passAtK(solved, 256, 256)).toBe(0.75);
});

test('more attempts than there were are no estimate', () => {
  expect(() => passAtK([1], 4, 5)).toThrow('pass@5 cannot be estimated from 4 attempts.');
});

test('a row has the means of the seeds that ended well, and a table as many columns as its attempts allow', () => {
  const [{ seeds }] = sampleResults.rows;
  const withAttempts = (...attempts: readonly (NonNullable<(typeof seeds)[0]['attempts']> | undefined)[]) => ({
    seeds: attempts.map((each, seed) => ({ ...seeds[0], seed, ...(each && { attempts: each }) })),
  });
  const row = withAttempts(
    { each: 4, warm: [0, 2], end: [4, 4] },
    { each: 4, warm: [1, 1], end: [0, 4] },
    { each: 4, warm: [4, 4], end: null },
    undefined,
  );
  expect(passRates(row, 1)).toEqual([0.25, 0.75]);
  expect(passRates(row, 4)).toEqual([0.75, 0.75]);
  expect(passRates(row, 16)).toBeNull();
  expect(passSizes([row, withAttempts(undefined)])).toEqual([1, 4]);
  expect(passSizes([withAttempts(undefined)])).toEqual([]);
});
