/** Attention over a key/value cache, for sampling only: `rotaryIntoCache` fills it, `attentionCached` reads it. */
import { assert } from '../lib/assert';
import type { Dispatch } from '../gpu/commands';
import type { Tape } from '../gpu/tape';
import type { Tensor } from '../gpu/tensor';
import { assertHeads, type HeadLayout } from './attention';
import { elementConstants, elementLanes } from './element';
import { rotaryConstants, rotaryFrequencies, type RotaryOptions } from './rotary';
import type { RowOptions } from './rows';

export interface CacheOptions extends HeadLayout, RowOptions {
  readonly slots: number;
  /** Positions each slot holds (S). */
  readonly cacheLength: number;
}

/**
 * Rotates the queries of qkv in place, and writes the rotated keys and the plain values of each token into the cache.
 * @param qkv [N, (H+2Hk)E]
 * @param cache [slots, S, 2, Hk, E]
 * @param places u32 [N, 2]: slot and position of each token. A position of S or more (0xffffffff, say) marks an
 * idle token: nothing is written.
 */
export function rotaryIntoCache(
  tape: Tape,
  qkv: Tensor,
  cache: Tensor,
  places: Tensor,
  options: CacheOptions & RotaryOptions,
): void {
  assertCache('rotaryIntoCache', qkv, cache, options);
  const constants = { ...rotaryConstants(options), S: options.cacheLength };
  const bindings = { qkv, cache, places, frequencies: rotaryFrequencies(tape, options) };
  const grid = tokenGrid(qkv.shape[0], options.headSize / 2, options);
  tape.dispatch('rotary-into-cache', 'forward', constants, bindings, grid);
}

/**
 * Each token attends to the positions 0 … its own of its slot, itself included.
 * @param qkv [N, (H+2Hk)E], its queries rotated; keys and values are read from the cache only
 * @param places u32 [N, 2]: slot and position; the output of an idle token is undefined
 * @returns [N, H*E]
 */
export function attentionCached(tape: Tape, qkv: Tensor, cache: Tensor, places: Tensor, options: CacheOptions): Tensor {
  assertCache('attentionCached', qkv, cache, options);
  const { heads, kvHeads, headSize, cacheLength } = options;
  const N = qkv.shape[0];
  const lanes = elementLanes(headSize);
  const SCALE = Math.LOG2E / Math.sqrt(headSize);
  const constants = { ...elementConstants(lanes), H: heads, HK: kvHeads, EV: headSize / lanes, S: cacheLength, SCALE };
  const y = tape.activation('attention', [N, heads * headSize]);
  tape.dispatch('attention-cached', 'forward', constants, { qkv, cache, places, y }, tokenGrid(N, heads, options));
  return y;
}

/** Workgroups for exactly the active tokens: rows behind them hold places of an earlier replay. */
function tokenGrid(count: number, perToken: number, { rows }: RowOptions): Dispatch['grid'] {
  const columns = Math.ceil(perToken / 16);
  return rows ? () => [columns, Math.min(rows(), count), 1] : [columns, count, 1];
}

function assertCache(op: string, qkv: Tensor, cache: Tensor, options: CacheOptions): void {
  assertHeads(op, qkv, options);
  const { slots, cacheLength, kvHeads, headSize } = options;
  const expected = [slots, cacheLength, 2, kvHeads, headSize].join();
  assert(cache.shape.join() === expected, `${op}: the cache is [${cache.shape.join()}], expected [${expected}]`);
}
