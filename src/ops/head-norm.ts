/** Root-mean-square normalisation of each head of queries and keys, before they are rotated (Qwen3). */
import { assert } from '../lib/assert';
import type { Tape } from '../device/tape';
import type { Tensor } from '../device/tensor';
import { assertHeads, type HeadLayout } from './attention';
import { elementConstants, rowGrid, type Rows } from './rows';

/** Weights of all query heads and of all key heads: [E], frozen. */
export interface HeadWeights {
  readonly query: Tensor;
  readonly key: Tensor;
}

/**
 * y = x / sqrt(mean(x²) + epsilon) · weight for each head x of queries and keys. Values stay.
 * @param qkv [N, (H+2Hk)E]
 * @returns [N, (H+2Hk)E]
 */
export function headNorm(
  tape: Tape,
  qkv: Tensor,
  { query, key }: HeadWeights,
  epsilon: number,
  layout: HeadLayout,
  rows?: Rows,
): Tensor {
  const { heads, kvHeads, headSize } = layout;
  const [N, width] = qkv.shape;
  assertHeads('headNorm', qkv, layout);
  assert(query.grad === null && key.grad === null, 'headNorm: its weights cannot be trained');
  const constants = { ...elementConstants(headSize), N, H: heads, HK: kvHeads, E: headSize, EPSILON: epsilon };
  const y = tape.activation('normed heads', [N, width]);
  const grid = rowGrid(N, heads + 2 * kvHeads, rows);
  const inputs = { x: qkv, queryWeight: query, keyWeight: key };
  tape.dispatch('head-norm', 'forward', constants, { ...inputs, y }, grid);
  tape.onBackward(() => {
    if (!qkv.grad) return;
    tape.dispatch('head-norm', 'backward', constants, { ...inputs, dy: y.grad!, dx: qkv.grad }, grid);
  });
  return y;
}
