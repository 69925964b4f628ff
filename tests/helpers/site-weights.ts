/**
 * Weight of each position under an aggregation of the RL vectors: the loss is the sum of weight · per-token loss. 0
 * where masked out.
 */
export function siteWeights(mask: number[][], aggregation: string, horizon = mask[0].length): number[][] {
  const counts = mask.map((row) => row.reduce((a, b) => a + b, 0));
  const tokens = counts.reduce((a, b) => a + b, 0);
  const rows = counts.filter((n) => n > 0).length;
  const weights: Record<string, (row: number) => number> = {
    'token-mean': () => 1 / tokens,
    'token-sum': () => 1,
    'seq-mean-token-sum': () => 1 / rows,
    'seq-mean-token-mean': (row) => 1 / (rows * counts[row]),
    'seq-mean-token-sum-norm': () => 1 / (rows * horizon),
    'sum-token-sum-norm': () => 1 / horizon,
    // Of losses that are one number a row: the mean over all rows, those without tokens too.
    none: (row) => 1 / (mask.length * counts[row]),
  };
  const weigh = weights[aggregation];
  if (!weigh) throw new Error(`no test knows the aggregation "${aggregation}"`);
  return mask.map((row, b) => row.map((m) => (m ? weigh(b) : 0)));
}
