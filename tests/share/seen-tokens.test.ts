import { expect, test } from 'vitest';
import { mostSeen, seenBy } from '../../src/share/seen-tokens';

const weights = [
  [Float32Array.of(0.5, 0.25, 0.25), Float32Array.of(1, 0, 0)],
  [Float32Array.of(0, 0, 1), Float32Array.of(0.5, 0.25, 0.25)],
];

test('one head’s row, or the mean of all', () => {
  expect(seenBy(weights, { layer: 1, head: 0 })).toEqual(Float32Array.of(0, 0, 1));
  expect(seenBy(weights, null)).toEqual(Float32Array.of(0.5, 0.125, 0.375));
});

test('the tokens that are seen most, of equal ones the earlier first', () => {
  expect(mostSeen(weights[0][0], 2)).toEqual([
    { token: 0, weight: 0.5 },
    { token: 1, weight: 0.25 },
  ]);
  expect(mostSeen(weights[0][1], 9).map(({ token }) => token)).toEqual([0, 1, 2]);
});
