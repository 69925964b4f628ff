/**
 * A pre-norm decoder-only transformer with rotary positions. Attention is passed in, so training on packed segments and
 * sampling from a cache share every other line.
 */
import type { Tape } from '../../device/tape';
import type { Tensor } from '../../device/tensor';
import { attention, type HeadLayout } from '../../ops/attention';
import { embedding } from '../../ops/embedding';
import { gatherRows } from '../../ops/gather-rows';
import { matmul } from '../../ops/matmul';
import { gelu, swiglu } from '../../ops/mlp-activation';
import { patchEmbedding, type Patches } from '../../ops/patch-embedding';
import { rmsNorm } from '../../ops/rmsnorm';
import { rotary } from '../../ops/rotary';
import type { Rows } from '../../ops/rows';
import type { ParameterStore } from '../parameters';
import type { TransformerShape } from './shape';

/** Attention of one layer: qkv [N, (H+2Hk)E] → [N, H·E]. Null ends the model there, when only the cache is wanted. */
export type Attend = (layer: number, qkv: Tensor) => Tensor | null;

/** What the transformer reads. */
export interface ModelInput {
  readonly tokens: Tensor; // u32 [N]
  /** Of images, in place of some tokens; for a transformer with `patchLength`. */
  readonly patches?: Patches | null;
}

/** Tokens whose hidden states are wanted: u32 [M] distinct indices of them, see `gatherRows`. */
export interface Sites {
  readonly index: Tensor;
  readonly rows: Rows;
}

/**
 * Hidden states after the last norm, [N, D]; with sites, of these alone, [M, D]: behind the last attention nothing else
 * is computed.
 */
export function hiddenStates(
  tape: Tape,
  store: ParameterStore,
  shape: TransformerShape,
  { tokens, patches }: ModelInput,
  attend: Attend,
  rows?: Rows,
  sites?: Sites,
): Tensor {
  let x = embedding(tape, store.get('tok_emb'), tokens, rows); // [N, D]
  if (patches) patchEmbedding(tape, x, patches, store.get('patch.weight'), store.get('patch.bias'));
  for (let layer = 0; layer < shape.layers; layer++) {
    const at = (name: string) => store.get(`blocks.${layer}.${name}`);
    const linear = (input: Tensor, name: string, bias?: string, residual?: Tensor) =>
      matmul(tape, input, at(name), {
        name: `blocks.${layer}.${name}`,
        transposeB: true,
        bias: bias ? at(bias) : undefined,
        residual,
        rows,
      });

    const normed = rmsNorm(tape, x, at('attn_norm'), shape.normEpsilon, rows); // [N, D]
    let mixed = attend(layer, linear(normed, 'wqkv', shape.qkvBias ? 'bqkv' : undefined)); // [N, H·E]
    if (!mixed) return x;
    if (sites && layer === shape.layers - 1) {
      rows = sites.rows;
      mixed = gatherRows(tape, mixed, sites.index, rows); // [M, H·E]
      x = gatherRows(tape, x, sites.index, rows); // [M, D]
    }
    x = linear(mixed, 'wo', undefined, x);

    const fed = rmsNorm(tape, x, at('mlp_norm'), shape.normEpsilon, rows); // [N, D]
    if (shape.mlp === 'swiglu') x = linear(swiglu(tape, linear(fed, 'w_gate_up'), rows), 'w_down', undefined, x);
    else x = linear(gelu(tape, linear(fed, 'w_in', 'b_in'), rows), 'w_out', 'b_out', x);
  }
  return rmsNorm(tape, x, store.get('final_norm'), shape.normEpsilon, rows);
}

/** Logits [M, V] of hidden states [M, D]. */
export function head(tape: Tape, store: ParameterStore, shape: TransformerShape, hidden: Tensor, rows?: Rows): Tensor {
  return matmul(tape, hidden, headWeight(store, shape), { name: 'logits', transposeB: true, rows });
}

/** [V, D] */
export function headWeight(store: ParameterStore, shape: TransformerShape): Tensor {
  return store.get(shape.tied ? 'tok_emb' : 'lm_head');
}

/** Where packed tokens stand. */
export interface PackedPositions {
  /** Position in the conversation, from 0. */
  readonly positions: Tensor; // u32 [N]
  /** What each token sees, as `attention` takes it. */
  readonly ranges: Tensor; // u32 [N, 4]
}

/** Causal attention inside packed segments. */
export function attendPacked(
  tape: Tape,
  shape: TransformerShape,
  { positions, ranges }: PackedPositions,
  rows?: Rows,
  watch?: (qkv: Tensor, layout: HeadLayout) => void,
): Attend {
  return (_, qkv) => {
    const turned = rotary(tape, qkv, positions, shape, rows);
    watch?.(turned, shape);
    return attention(tape, turned, ranges, shape, rows);
  };
}
