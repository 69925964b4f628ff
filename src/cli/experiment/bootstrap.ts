/** The percentile bootstrap of a mean, with random numbers that are a function of a seed. */
import { assert } from '../../lib/assert';
import { bits, Purpose } from '../../lib/rng';
import { minForInterval } from '../../share/interval';
import type { Interval } from '../../share/results';

const resamples = 10_000;
const seed = 0;
/** Percentiles of the 95 % interval. */
const tail = 0.025;

/** A 95 % interval of the mean, or the range of too few values. @param values one per seed, at least one */
export function bootstrapInterval(values: readonly number[]): Interval {
  assert(values.length > 0, 'there is nothing to resample');
  if (values.length < minForInterval)
    return { mean: mean(values), low: Math.min(...values), high: Math.max(...values) };
  const means = Array.from({ length: resamples }, (_, r) =>
    mean(values.map((_, i) => values[bits(seed, Purpose.bootstrap, r, i) % values.length])),
  ).sort((a, b) => a - b);
  const at = (share: number): number => means[Math.min(resamples - 1, Math.floor(share * resamples))];
  return { mean: mean(values), low: at(tail), high: at(1 - tail) };
}

/** Sums in ascending order, so that equal resamples have equal means. */
function mean(values: readonly number[]): number {
  return [...values].sort((a, b) => a - b).reduce((sum, value) => sum + value, 0) / values.length;
}
