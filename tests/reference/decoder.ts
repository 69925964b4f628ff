/** A pre-norm decoder with SwiGLU over one sequence in float64: its attention weights and its logits. */
import type { Array64 } from './array';
import { attention, attentionWeights, type HeadLayout } from './attention';
import { headNorm } from './head-norm';
import { matmul, transpose } from './matmul';
import { swiglu } from './mlp-activation';
import { rmsNorm } from './rmsnorm';
import { rotary, type RotaryOptions } from './rotary';
import { takeRows } from './rows';

/** Weights of a linear layer are [out, in]. */
export interface Block64 {
  readonly attentionNorm: Array64;
  readonly qkv: Array64;
  readonly qkvBias?: Array64;
  readonly queryNorm?: Array64;
  readonly keyNorm?: Array64;
  readonly out: Array64;
  readonly mlpNorm: Array64;
  readonly gateUp: Array64;
  readonly down: Array64;
}

export interface Decoder64 {
  readonly shape: HeadLayout & RotaryOptions & { readonly normEpsilon: number };
  readonly embedding: Array64;
  readonly blocks: readonly Block64[];
  readonly finalNorm: Array64;
  readonly head: Array64;
}

/** @returns attention as [layers][N][heads], each of the tokens up to that one; logits [N, V] */
export function decode({ shape, embedding, blocks, finalNorm, head }: Decoder64, tokens: readonly number[]) {
  const column = (numbers: readonly number[]): Array64 => ({
    shape: [numbers.length],
    data: Float64Array.from(numbers),
  });
  const positions = column([...tokens.keys()]);
  const ranges = column(tokens.flatMap(() => [0, 0, 0, tokens.length]));
  const linear = (x: Array64, weight: Array64, bias?: Array64, residual?: Array64) =>
    matmul(x, transpose(weight), bias, residual);
  let x = takeRows(embedding, column(tokens));
  const weights = blocks.map((block) => {
    let qkv = linear(rmsNorm(x, block.attentionNorm, shape.normEpsilon), block.qkv, block.qkvBias);
    if (block.queryNorm && block.keyNorm) qkv = headNorm(qkv, block.queryNorm, block.keyNorm, shape.normEpsilon, shape);
    qkv = rotary(qkv, positions, shape);
    x = linear(attention(qkv, ranges, shape), block.out, undefined, x);
    x = linear(swiglu(linear(rmsNorm(x, block.mlpNorm, shape.normEpsilon), block.gateUp)), block.down, undefined, x);
    return attentionWeights(qkv, ranges, shape);
  });
  return { weights, logits: linear(rmsNorm(x, finalNorm, shape.normEpsilon), head) };
}
