/**
 * The forward pass of Llama, Qwen2 and Qwen3. Attention is passed in, so training on packed segments and sampling from
 * a cache share every other line.
 */
import { assert } from '../../lib/assert';
import type { Tape } from '../../device/tape';
import type { Tensor } from '../../device/tensor';
import { attention, type HeadLayout } from '../../ops/attention';
import { embedding } from '../../ops/embedding';
import { gatherRows } from '../../ops/gather-rows';
import { headNorm } from '../../ops/head-norm';
import { lora } from '../../ops/lora';
import { matmul } from '../../ops/matmul';
import { swiglu } from '../../ops/mlp-activation';
import { rmsNorm } from '../../ops/rmsnorm';
import { rotary, type RotaryOptions } from '../../ops/rotary';
import type { Rows } from '../../ops/rows';
import type { PackedTokens } from '../model';
import type { ParameterStore } from '../parameters';
import { adaptedModules, blockName, linearLayers, type LinearLayer, type LoraSettings } from './layers';
import type { LlamaShape } from './shape';

/** Low-rank changes of the linear layers, which may be switched off. */
export interface Adapter {
  readonly settings: LoraSettings;
  readonly isOn: () => boolean;
}

/** Attention of one layer: qkv [N, (H+2Hk)E], its heads normalised → [N, H·E]. Null ends the model there. */
export type Attend = (layer: number, qkv: Tensor) => Tensor | null;

/** What a pass is recorded with. */
export interface Recording {
  readonly tape: Tape;
  readonly weights: ParameterStore;
  readonly shape: LlamaShape;
  readonly adapter?: Adapter;
  /** Layers that make more of a micro-batch are computed again in the backward pass. */
  readonly maxKeptBytes: number;
}

/** Tokens whose hidden states are wanted: u32 [M] distinct indices of them, see `gatherRows`. */
interface Sites {
  readonly index: Tensor;
  readonly rows: Rows;
}

/** Hidden states after the last norm, [N, D]; with sites, of these alone, [M, D]. */
export function hiddenStates(recording: Recording, tokens: Tensor, attend: Attend, rows?: Rows, sites?: Sites): Tensor {
  const { tape, weights, shape } = recording;
  const isKept = tape.training && keptBytes(shape, tokens.shape[0]) <= recording.maxKeptBytes;
  let x = embedding(tape, weights.get('model.embed_tokens.weight'), tokens, rows); // [N, D]
  for (let layer = 0; layer < shape.layers; layer++) {
    const input = x;
    const only = layer === shape.layers - 1 ? sites : undefined;
    const record = () => layerOutput(recording, layer, input, attend, rows, only);
    const output = isKept ? record() : tape.block(record);
    if (!output) return x;
    x = output;
  }
  return rmsNorm(tape, x, weights.get('model.norm.weight'), shape.normEpsilon, sites?.rows ?? rows);
}

/** What a layer makes of x [N, D]: [N, D], or [M, D] at sites; null if the model ends with its attention. */
function layerOutput(
  recording: Recording,
  layer: number,
  x: Tensor,
  attend: Attend,
  rows?: Rows,
  sites?: Sites,
): Tensor | null {
  const { tape, weights, shape } = recording;
  const { normEpsilon: epsilon } = shape;
  const [qkvLayer, outLayer, gateUpLayer, downLayer] = linearLayers(shape);
  const at = (name: string) => weights.get(`${blockName(layer)}${name}`);
  const normed = rmsNorm(tape, x, at('input_layernorm.weight'), epsilon, rows); // [N, D]
  let qkv = linear(recording, layer, qkvLayer, normed, rows);
  if (shape.qkNorm) {
    const heads = { query: at('self_attn.q_norm.weight'), key: at('self_attn.k_norm.weight') };
    qkv = headNorm(tape, qkv, heads, epsilon, shape, rows);
  }
  let mixed = attend(layer, qkv); // [N, H·E]
  if (!mixed) return null;
  if (sites) {
    rows = sites.rows;
    mixed = gatherRows(tape, mixed, sites.index, rows); // [M, H·E]
    x = gatherRows(tape, x, sites.index, rows); // [M, D]
  }
  x = linear(recording, layer, outLayer, mixed, rows, x);
  const fed = rmsNorm(tape, x, at('post_attention_layernorm.weight'), epsilon, rows); // [N, D]
  const gated = swiglu(tape, linear(recording, layer, gateUpLayer, fed, rows), rows); // [N, F]
  return linear(recording, layer, downLayer, gated, rows, x);
}

/** Of a micro-batch of N positions: what its layers have made, with gradients. */
function keptBytes({ layers, width, heads, kvHeads, headSize, mlpWidth, qkNorm }: LlamaShape, N: number): number {
  const qkv = (heads + 2 * kvHeads) * headSize;
  const numbers = 4 * width + (qkNorm ? 2 : 1) * qkv + heads * headSize + 3 * mlpWidth;
  return 8 * N * layers * numbers;
}

/** x Wᵀ (+ bias) (+ residual) and the adapter's change of it. */
function linear(
  { tape, weights, adapter }: Recording,
  index: number,
  layer: LinearLayer,
  x: Tensor,
  rows?: Rows,
  residual?: Tensor,
): Tensor {
  const name = `${blockName(index)}${layer.name}`;
  const bias = layer.bias ? weights.get(`${name}.bias`) : undefined;
  const weight = weights.get(`${name}.weight`);
  const y = matmul(tape, x, weight, { name, transposeB: true, bias, residual, rows });
  const parts = adaptedModules(layer, adapter?.settings);
  if (!adapter || parts.length === 0) return y;
  const { rank, alpha } = adapter.settings;
  const hidden = matmul(tape, x, weights.get(`${name}.lora_A`), { name: `${name}.lora`, transposeB: true, rows });
  const options = { scale: alpha / rank, parts, isOn: adapter.isOn, rows };
  return lora(tape, y, hidden, weights.get(`${name}.lora_B`), options);
}

/** Logits [M, V] of hidden states [M, D]. */
export function head({ tape, weights, shape }: Recording, hidden: Tensor, rows?: Rows): Tensor {
  return matmul(tape, hidden, headWeight(weights, shape), { name: 'logits', transposeB: true, rows });
}

/** [V, D] */
export function headWeight(weights: ParameterStore, shape: LlamaShape): Tensor {
  return weights.get(shape.tied ? 'model.embed_tokens.weight' : 'lm_head.weight');
}

/** Causal attention inside packed segments. */
export function attendPacked(
  { tape, shape }: Recording,
  packed: PackedTokens,
  watch?: (qkv: Tensor, layout: HeadLayout) => void,
): Attend {
  const { positions, ranges, usedPositions: rows, patches } = packed;
  assert(!patches, 'this family sees no images');
  return (_, qkv) => {
    const turned = rotary(tape, qkv, positions, rotaryOf(shape), rows);
    watch?.(turned, shape);
    return attention(tape, turned, ranges, shape, rows);
  };
}

export const rotaryOf = (shape: LlamaShape): RotaryOptions => ({ ...shape, ropeStyle: 'half' });
