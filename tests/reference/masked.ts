/**
 * Float64 references of masked statistics and of loss aggregation. Masked values may be anything, NaN too: they are
 * never read.
 */

export type Matrix = readonly (readonly number[])[];
export type Aggregation =
  | 'token-mean'
  | 'token-sum'
  | 'seq-mean-token-sum'
  | 'seq-mean-token-mean'
  | 'seq-mean-token-sum-norm'
  | 'sum-token-sum-norm'
  | 'none';

/** Guards divisions by a count as published implementations do, except in a token mean: it shows in the ninth digit. */
const tiny = 1e-8;

export function maskedValues(x: Matrix, mask: Matrix): number[] {
  return x.flatMap((row, b) => row.filter((_, t) => mask[b][t] === 1));
}

/** Sum over masked values / (n + 1e-8); 0 where nothing is masked in. */
export function maskedMean(x: Matrix, mask: Matrix): number {
  return meanOf(maskedValues(x, mask));
}

/** Unbiased variance of masked values, from centred values. */
export function maskedVariance(x: Matrix, mask: Matrix): number {
  const values = maskedValues(x, mask);
  const mean = meanOf(values);
  return values.length < 2
    ? 0
    : (meanOf(values.map((value) => (value - mean) ** 2)) * values.length) / (values.length - 1);
}

export function whiten(x: Matrix, mask: Matrix, { shiftMean, eps }: { shiftMean: boolean; eps: number }): number[][] {
  const mean = maskedMean(x, mask);
  const scale = 1 / Math.sqrt(maskedVariance(x, mask) + eps);
  return x.map((row, b) =>
    row.map((value, t) => (mask[b][t] === 1 ? (value - mean) * scale + (shiftMean ? 0 : mean) : 0)),
  );
}

/** Weight of each token in an aggregated loss: loss = Σ weight · l, and d loss / d l = weight. */
export function aggregationWeights(mask: Matrix, aggregation: Aggregation, horizon = mask[0].length): number[][] {
  const counts = mask.map((row) => row.reduce((sum, m) => sum + m, 0));
  const tokens = counts.reduce((sum, n) => sum + n, 0);
  const rows = counts.filter((n) => n > 0).length;
  const weight = (b: number): number => {
    switch (aggregation) {
      case 'token-mean':
        return 1 / tokens;
      case 'token-sum':
        return 1;
      case 'seq-mean-token-sum':
        return 1 / rows;
      case 'seq-mean-token-mean':
        return 1 / (rows * (counts[b] + tiny));
      case 'seq-mean-token-sum-norm':
        return 1 / (rows * horizon);
      case 'sum-token-sum-norm':
        return 1 / horizon;
      // Of losses that are one number a row: the mean over all rows, those without tokens too.
      case 'none':
        return 1 / (mask.length * counts[b]);
    }
  };
  return mask.map((row, b) => row.map((m) => (m === 1 ? weight(b) : 0)));
}

/** Σ weight · l over the tokens that have a weight. */
export function weightedSum(l: Matrix, weights: Matrix): number {
  return l.reduce(
    (sum, row, b) =>
      sum + row.reduce((part, value, t) => (weights[b][t] === 0 ? part : part + weights[b][t] * value), 0),
    0,
  );
}

function meanOf(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / (values.length + tiny);
}
