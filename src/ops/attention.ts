/**
 * Causal attention over packed segments, for training and scoring, without a [N, N] matrix. Rotary positions are in
 * rotary.ts, sampling from a cache in attention-cached.ts.
 */
import { assert } from '../lib/assert';
import { linearGrid } from '../device/commands';
import type { Constants, Device } from '../device/device';
import type { Tape } from '../device/tape';
import type { Tensor } from '../device/tensor';
import { elementConstants, type Rows } from './rows';

/** How the rows of qkv are laid out: H query heads, then Hk key heads, then Hk value heads, each of E numbers. */
export interface HeadLayout {
  readonly heads: number;
  /** Divides `heads`: query head h uses key/value head floor(h / (heads / kvHeads)). */
  readonly kvHeads: number;
  readonly headSize: number;
}

/**
 * Token i sees the tokens of a prefix that its segment may share with others, and those of its segment up to itself.
 * @param qkv [N, (H+2Hk)E], rotated already
 * @param ranges u32 [N, 4] of each token: the first of the prefix and one past its last, the first of the segment, and
 * one past the last token that sees this one. A prefix stands before its segments and is a segment of its own; without
 * one, the first two are equal
 * @param tiled whether a GPU passes keys and values through workgroup memory; the CPU has one way
 * @returns [N, H*E]
 */
export function attention(
  tape: Tape,
  qkv: Tensor,
  ranges: Tensor,
  layout: HeadLayout,
  rows?: Rows,
  tiled = isTiled(tape.device, layout),
): Tensor {
  const { heads, kvHeads, headSize } = layout;
  const [N] = qkv.shape;
  assertHeads('attention', qkv, layout);
  assert(ranges.shape.join() === `${N},4`, `attention: ranges are [${ranges.shape.join(', ')}], expected [${N}, 4]`);
  const blocks = tiled && tape.device.adapter.kind === 'gpu' ? blockSizes(headSize) : null;
  const TILE = tileSize(tape.device, headSize);
  const constants = { ...headConstants(layout), ...(blocks ?? { TILE }), N };
  const grid = (headCount: number) => () => {
    const tokens = rows?.count ?? N;
    const threads = blocks ? 64 * Math.ceil(tokens / blocks.ROWS) : Math.ceil(tokens / TILE);
    return linearGrid(threads * headCount, tokens);
  };

  const y = tape.activation('attention', [N, heads * headSize]);
  const lse = tape.constant('attention.lse', [N, heads]);
  tape.dispatch(blocks ? 'attention-tiled' : 'attention', 'forward', constants, { qkv, ranges, y, lse }, grid(heads));

  tape.onBackward(() => {
    const dqkv = qkv.grad;
    if (!dqkv) return;
    const dy = y.grad!;
    const delta = tape.constant('attention.delta', [N, heads]);
    const queries = { qkv, ranges, y, lse, dy, deltaOut: delta, dqkv };
    const kernel = (entry: string) => (blocks ? `attention-tiled-${entry}` : 'attention-backward');
    tape.dispatch(kernel('queries'), 'queries', constants, queries, grid(heads));
    const keys = { qkv, ranges, lse, dy, delta, dqkv };
    tape.dispatch(kernel('keys'), 'keys', constants, keys, grid(kvHeads));
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

/**
 * Heads of pretrained models: 1,024 keys and values of 64 numbers are 512 kB, which no first-level cache holds. A CPU
 * adapter runs a barrier as a switch of coroutines.
 */
const isTiled = ({ adapter }: Device, { headSize }: HeadLayout): boolean =>
  !adapter.software && headSize >= 64 && blockSizes(headSize) !== null;

/**
 * Rows and columns of a tile of scores, at most 16 kB of workgroup memory, and the Elements of a row that a thread
 * sums; null if a row does not divide among its threads.
 */
function blockSizes(headSize: number) {
  const [ROWS, COLS] = headSize <= 64 ? [16, 16] : [8, 8];
  const SLICE = (headSize * ROWS) / 256;
  return headSize <= 128 && Number.isInteger(SLICE) ? { ROWS, COLS, SLICE } : null;
}
