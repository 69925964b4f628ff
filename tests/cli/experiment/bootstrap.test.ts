import { expect, test } from 'vitest';
import { bootstrapInterval } from '../../../src/cli/experiment/bootstrap';

// The mean of n draws from zeros and ones is binomial, so its quantiles are known.
test.each([
  ['one value is its own interval', [0.3], { mean: 0.3, low: 0.3, high: 0.3 }],
  ['equal values leave no doubt', [0.7, 0.7, 0.7], { mean: 0.7, low: 0.7, high: 0.7 }],
  ['n = 2: 0 and 1 each have 1 in 4', [0, 1], { mean: 0.5, low: 0, high: 1 }],
  ['n = 10: P(≤ 1) = 0.011, P(≤ 2) = 0.055', [0, 0, 0, 0, 0, 1, 1, 1, 1, 1], { mean: 0.5, low: 0.2, high: 0.8 }],
  [
    'n = 8, an eighth: P(0) = 0.34, P(≤ 2) = 0.933, P(≤ 3) = 0.989',
    [1, 0, 0, 0, 0, 0, 0, 0],
    { mean: 0.125, low: 0, high: 0.375 },
  ],
  ['n = 5: too few, so the range', [1, 0, 0, 0.5, 0], { mean: 0.3, low: 0, high: 1 }],
])('%s', (_, values, { mean, low, high }) => {
  const interval = bootstrapInterval(values);
  expect(interval.mean).toBeCloseTo(mean, 12);
  expect(interval.low).toBeCloseTo(low, 12);
  expect(interval.high).toBeCloseTo(high, 12);
});

test('it is a function of its values', () => {
  const values = [0.31, 0.42, 0.55];
  expect(bootstrapInterval(values)).toEqual(bootstrapInterval(values));
});
