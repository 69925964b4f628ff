/** Causal attention over packed segments in float64, with the whole score matrix, and its analytic gradient. */
import { zeros, type Array64 } from './array';

export interface HeadLayout {
  readonly heads: number;
  readonly kvHeads: number;
  readonly headSize: number;
}

/**
 * Calls `visit` for each query token and head with the offsets of its query, its keys and its values, and its softmax
 * weights.
 */
function forEachQuery(
  qkv: Array64,
  ranges: Array64,
  { heads, kvHeads, headSize }: HeadLayout,
  visit: (query: {
    n: number;
    head: number;
    at: number;
    keysAt: number[];
    valuesAt: number[];
    weights: number[];
  }) => void,
): void {
  const width = (heads + 2 * kvHeads) * headSize;
  for (let n = 0; n < qkv.shape[0]; n++) {
    for (let head = 0; head < heads; head++) {
      const kvHead = Math.floor(head / (heads / kvHeads));
      const at = n * width + head * headSize;
      const [prefix, prefixEnd, start] = ranges.data.subarray(n * 4);
      const tokens = Array.from({ length: n + 1 }, (_, j) => j).filter(
        (j) => j >= start || (j >= prefix && j < prefixEnd),
      );
      const keysAt = tokens.map((token) => token * width + (heads + kvHead) * headSize);
      const valuesAt = keysAt.map((key) => key + kvHeads * headSize);
      const scores = keysAt.map((key) => dot(qkv.data, at, qkv.data, key, headSize) / Math.sqrt(headSize));
      const top = Math.max(...scores);
      const powers = scores.map((score) => Math.exp(score - top));
      const sum = powers.reduce((total, power) => total + power, 0);
      visit({ n, head, at, keysAt, valuesAt, weights: powers.map((power) => power / sum) });
    }
  }
}

/** Softmax weights of each query token. [N][H], each of the tokens that it sees */
export function attentionWeights(qkv: Array64, ranges: Array64, layout: HeadLayout): number[][][] {
  const all = Array.from({ length: qkv.shape[0] }, (): number[][] => []);
  forEachQuery(qkv, ranges, layout, ({ n, head, weights }) => (all[n][head] = weights));
  return all;
}

/** qkv [N, (H+2Hk)E] → [N, H*E]. */
export function attention(qkv: Array64, ranges: Array64, layout: HeadLayout): Array64 {
  const { heads, headSize } = layout;
  const y = zeros(qkv.shape[0], heads * headSize);
  forEachQuery(qkv, ranges, layout, ({ n, head, valuesAt, weights }) => {
    const out = (n * heads + head) * headSize;
    weights.forEach((weight, j) => addScaled(y.data, out, qkv.data, valuesAt[j], weight, headSize));
  });
  return y;
}

/** The gradient of sum(attention * dy) with respect to qkv. */
export function attentionGradient(qkv: Array64, ranges: Array64, dy: Array64, layout: HeadLayout): Array64 {
  const { heads, headSize } = layout;
  const grad = zeros(...qkv.shape);
  forEachQuery(qkv, ranges, layout, ({ n, head, at, keysAt, valuesAt, weights }) => {
    const out = (n * heads + head) * headSize;
    const dWeights = valuesAt.map((value) => dot(dy.data, out, qkv.data, value, headSize));
    const mean = weights.reduce((sum, weight, j) => sum + weight * dWeights[j], 0);
    weights.forEach((weight, j) => {
      const dScore = (weight * (dWeights[j] - mean)) / Math.sqrt(headSize);
      addScaled(grad.data, at, qkv.data, keysAt[j], dScore, headSize);
      addScaled(grad.data, keysAt[j], qkv.data, at, dScore, headSize);
      addScaled(grad.data, valuesAt[j], dy.data, out, weight, headSize);
    });
  });
  return grad;
}

function dot(a: Float64Array, aAt: number, b: Float64Array, bAt: number, count: number): number {
  let sum = 0;
  for (let i = 0; i < count; i++) sum += a[aAt + i] * b[bAt + i];
  return sum;
}

function addScaled(
  to: Float64Array,
  toAt: number,
  from: Float64Array,
  fromAt: number,
  factor: number,
  count: number,
): void {
  for (let i = 0; i < count; i++) to[toAt + i] += factor * from[fromAt + i];
}
