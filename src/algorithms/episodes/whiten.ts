/**
 * Whitening: numbers shifted and scaled to mean 0 and variance 1 over the batch. As in published estimators, tokens are
 * divided by sqrt(variance + 1e-8), steps by (standard deviation + 1e-8). Equal numbers give exactly 0.
 */
import { tokenColumns, walkBack, type Episode, type TokenColumns } from './episode';

const epsilon = 1e-8;

/**
 * Mean and unbiased variance from centred values; both 0 for an empty list.
 * @param guard added to the count in divisions
 */
export function moments(values: readonly number[], guard = 0): { mean: number; variance: number } {
  const n = values.length;
  if (n === 0) return { mean: 0, variance: 0 };
  if (values.every((value) => value === values[0])) return { mean: values[0], variance: 0 };
  const mean = values.reduce((sum, value) => sum + value, 0) / (n + guard);
  const squares = values.reduce((sum, value) => sum + (value - mean) * (value - mean), 0) / (n + guard);
  return { mean, variance: (squares * n) / (n - 1) };
}

/** (x − mean) / (std + 1e-8) over all steps of the batch. [episodes][steps] */
export function whitenSteps(values: readonly (readonly number[])[]): number[][] {
  const { mean, variance } = moments(values.flat());
  return values.map((steps) =>
    steps.map((value) => (variance === 0 ? 0 : (value - mean) / (Math.sqrt(variance) + epsilon))),
  );
}

/**
 * (x − mean) / sqrt(variance + 1e-8) over all credited tokens of the batch, so that long episodes weigh more; masked
 * tokens are 0. Counts are guarded as in published trainers, which shows in the ninth digit.
 */
export function whitenTokens(episodes: readonly Episode[], columns: TokenColumns): Float64Array[][] {
  const values: number[] = [];
  episodes.forEach((episode, i) => walkBack(episode, (k, t) => values.push(columns[i][k][t])));
  const { mean, variance } = moments(values, epsilon);
  return tokenColumns(episodes, (i, k, t) =>
    variance === 0 ? 0 : (columns[i][k][t] - mean) / Math.sqrt(variance + epsilon),
  );
}
