/**
 * Causal attention over packed segments, for training and scoring whole rows: without a [T, T] matrix and without
 * barriers. Rotary positions are in rotary.ts, sampling from a cache in attention-cached.ts.
 */
import { assert } from '../lib/assert';
import { linearGrid } from '../gpu/commands';
import type { Device } from '../gpu/device';
import type { Tape } from '../gpu/tape';
import type { Tensor } from '../gpu/tensor';
import type { Constants } from '../gpu/wgsl';
import { elementConstants } from './rows';

/** How the rows of qkv are laid out: H query heads, then Hk key heads, then Hk value heads, each of E numbers. */
export interface HeadLayout {
  readonly heads: number;
  /** Divides `heads`: query head h uses key/value head floor(h / (heads / kvHeads)). */
  readonly kvHeads: number;
  readonly headSize: number;
}

export interface AttentionShape extends HeadLayout {
  /** B rows of `length` T tokens each. */
  readonly batch: number;
  readonly length: number;
}

/**
 * Position i of a row sees the positions segmentStart[i] … i of that row, itself included.
 * @param qkv [N, (H+2Hk)E] with N = B*T, rotated already
 * @param segmentStart u32 [N], the index in its row of the first token of the token's segment
 * @param segmentEnd u32 [N], one past the index in its row of the last token of the token's segment
 * @returns [N, H*E]
 */
export function attention(
  tape: Tape,
  qkv: Tensor,
  segmentStart: Tensor,
  segmentEnd: Tensor,
  shape: AttentionShape,
): Tensor {
  const { batch, length, heads, kvHeads, headSize } = shape;
  const rows = batch * length;
  assertHeads('attention', qkv, shape);
  assert(qkv.shape[0] === rows, `attention: qkv has ${qkv.shape[0]} rows, not ${batch} * ${length}`);
  const TILE = tileSize(tape.device, headSize);
  const constants = { ...headConstants(shape), TILE, B: batch, T: length };
  const grid = (headCount: number) => linearGrid(batch * Math.ceil(length / TILE) * headCount);

  const y = tape.activation('attention', [rows, heads * headSize]);
  const lse = tape.constant('attention.lse', [rows, heads]);
  tape.dispatch('attention', 'forward', constants, { qkv, segmentStart, y, lse }, grid(heads));

  tape.onBackward(() => {
    const dqkv = qkv.grad;
    if (!dqkv) return;
    const dy = y.grad!;
    const delta = tape.constant('attention.delta', [rows, heads]);
    const queries = { qkv, segmentStart, y, lse, dy, deltaOut: delta, dqkv };
    tape.dispatch('attention-backward', 'queries', constants, queries, grid(heads));
    const keys = { qkv, segmentEnd, lse, dy, delta, dqkv };
    tape.dispatch('attention-backward', 'keys', constants, keys, grid(kvHeads));
  });
  return y;
}

/** SCALE: 1 / √E for scores in base 2. */
export function headConstants({ heads, kvHeads, headSize }: HeadLayout): Constants {
  const { W, ...element } = elementConstants(headSize);
  return { ...element, H: heads, HK: kvHeads, EV: W, SCALE: Math.LOG2E / Math.sqrt(headSize) };
}

export function assertHeads(op: string, qkv: Tensor, { heads, kvHeads, headSize }: HeadLayout): void {
  assert(heads % kvHeads === 0, `${op}: ${kvHeads} key/value heads do not divide ${heads} heads`);
  const width = (heads + 2 * kvHeads) * headSize;
  assert(qkv.shape[1] === width, `${op}: qkv is ${qkv.shape[1]} wide, expected ${width}`);
}

/**
 * Queries or keys that a thread holds in registers, 1 to 4. On SwiftShader sharing each load among four is 3 times as
 * fast; real GPUs need the threads more, and llvmpipe takes a minute to compile the larger kernels.
 */
function tileSize({ adapter }: Device, headSize: number): number {
  if (!adapter.software || /llvmpipe/i.test(adapter.name)) return 1;
  return Math.max(1, Math.min(4, Math.floor(128 / headSize)));
}
