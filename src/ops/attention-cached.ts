/**
 * Attention over a key/value cache, for sampling only: `rotaryIntoCache` and `copyCache` fill it, `attentionCached`
 * reads it.
 */
import { assert } from '../lib/assert';
import { linearGrid } from '../device/commands';
import type { Device, Dispatch, Grid } from '../device/device';
import type { Tape } from '../device/tape';
import { elementCount, type Tensor } from '../device/tensor';
import { assertHeads, headConstants, type HeadLayout } from './attention';
import { rotaryConstants, rotaryFrequencies, type RotaryOptions } from './rotary';
import { elementConstants, type Rows } from './rows';

/**
 * Rotates the queries of qkv in place, and writes the rotated keys and the plain values of each token into the cache.
 * @param qkv [N, (H+2Hk)E]
 * @param cache [slots, S, 2, Hk, E], S positions in each slot
 * @param places u32 [N, 2]: slot and position of each token. A position of S or more (0xffffffff, say) marks an
 * idle token: nothing is written.
 */
export function rotaryIntoCache(
  tape: Tape,
  qkv: Tensor,
  cache: Tensor,
  places: Tensor,
  options: RotaryOptions,
  rows?: Rows,
): void {
  assertCache('rotaryIntoCache', qkv, cache, options);
  const constants = { ...rotaryConstants(options), S: cache.shape[1] };
  const bindings = { qkv, cache, places, frequencies: rotaryFrequencies(tape, options) };
  tape.dispatch('rotary-into-cache', 'forward', constants, bindings, tokenGrid(qkv, options.headSize / 2, rows));
}

/**
 * Each token attends to the positions 0 … its own of its slot, itself included.
 * @param qkv [N, (H+2Hk)E], its queries rotated; keys and values are read from the cache only
 * @param cache [slots, S, 2, Hk, E]
 * @param places u32 [N, 2]: slot and position; the output of an idle token is undefined
 * @param shared whether a GPU gives a workgroup to each head of a token; the CPU has one way
 * @returns [N, H*E]
 */
export function attentionCached(
  tape: Tape,
  qkv: Tensor,
  cache: Tensor,
  places: Tensor,
  layout: HeadLayout,
  rows?: Rows,
  shared = isShared(tape.device, layout),
): Tensor {
  assertCache('attentionCached', qkv, cache, layout);
  const constants = { ...headConstants(layout), S: cache.shape[1] };
  const y = tape.activation('attention', [qkv.shape[0], layout.heads * layout.headSize]);
  const byGroup = shared && tape.device.adapter.kind === 'gpu';
  // The last workgroup may compute tokens behind the active ones too, whose output is undefined anyway.
  const grid = (): Grid => {
    const items = rows?.count ?? qkv.shape[0];
    const heads = items * layout.heads;
    return byGroup ? linearGrid(64 * heads, items) : { workgroups: [Math.ceil(heads / 16), 1, 1], items };
  };
  const kernel = byGroup ? 'attention-cached-shared' : 'attention-cached';
  tape.dispatch(kernel, 'forward', constants, { qkv, cache, places, y }, grid);
  return y;
}

/** Heads of pretrained models: a thread a head would read 512 kB alone, for 1,024 positions of 64 numbers. */
const isShared = ({ adapter }: Device, { headSize }: HeadLayout): boolean =>
  !adapter.software && headSize >= 64 && headSize % 4 === 0 && headSize <= 256;

/**
 * Copies positions from slot to slot, for prompts that are alike.
 * @param cache [slots, S, 2, Hk, E]
 * @param copies u32 [C, 4]: slot to read, slot to write, first position and one past the last. No slot is in both roles
 * @param rows how many of the copies to do
 */
export function copyCache(tape: Tape, cache: Tensor, copies: Tensor, rows: Rows): void {
  const [, S, ...position] = cache.shape;
  const constants = { ...elementConstants(elementCount(position)), S };
  const grid = (): Grid => ({ workgroups: [Math.ceil((S * constants.W) / 64), rows.count, 1], items: rows.count });
  tape.dispatch('copy-cache', 'forward', constants, { copies, cache }, grid);
}

/** Workgroups for exactly the active tokens: rows behind them hold places of an earlier replay. */
function tokenGrid({ shape: [count] }: Tensor, perToken: number, rows?: Rows): Dispatch['grid'] {
  return () => {
    const items = rows?.count ?? count;
    return { workgroups: [Math.ceil(perToken / 16), items, 1], items };
  };
}

function assertCache(op: string, qkv: Tensor, cache: Tensor, layout: HeadLayout): void {
  assertHeads(op, qkv, layout);
  const expected = [...cache.shape.slice(0, 2), 2, layout.kvHeads, layout.headSize].join();
  assert(cache.shape.join() === expected, `${op}: the cache is [${cache.shape.join()}], expected [${expected}]`);
}
