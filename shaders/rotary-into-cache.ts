/**
 * Rotates queries, fills the cache; the formulas stand in rotary-into-cache.wgsl. On the CPU a slot of the cache holds
 * keys as [HK, E, S], so that four positions load at once, then values as [S, HK, E].
 */
import { turnHead, turnsOf } from './lib/rotary';
import { firstItem, scratch } from './lib/parts';

@unmanaged
class Forward {
  qkv: usize;
  cache: usize;
  places: usize;
  frequencies: usize;
  H: u32;
  HK: u32;
  E: u32;
  S: u32;
  PAIR_STRIDE: u32;
  PARTNER: u32;
}

export function forward(args: Forward, tokens: u32, part: u32, parts: u32): void {
  const end = firstItem(tokens, part + 1, parts);
  for (let n = firstItem(tokens, part, parts); n < end; n++) {
    const position = load<u32>(args.places + 8 * n, 4);
    if (position < args.S) place(args, n, load<u32>(args.places + 8 * n), position);
  }
}

function place(args: Forward, n: u32, slot: u32, position: u32): void {
  const E = args.E;
  const turned = scratch + 4 * E;
  turnsOf(args.frequencies, E / 2, position, scratch);
  let at = args.qkv + 4 * n * (args.H + 2 * args.HK) * E;
  for (let head: u32 = 0; head < args.H; head++, at += 4 * E) {
    turnHead(at, at, scratch, E / 2, args.PAIR_STRIDE, args.PARTNER, 1);
  }
  const values = args.HK * E;
  const keysTo = args.cache + 8 * slot * args.S * values;
  let to = keysTo + 4 * position;
  for (let head: u32 = 0; head < args.HK; head++, at += 4 * E) {
    turnHead(at, turned, scratch, E / 2, args.PAIR_STRIDE, args.PARTNER, 1);
    for (let e: u32 = 0; e < E; e++, to += 4 * args.S) store<f32>(to, load<f32>(turned + 4 * e));
  }
  memory.copy(keysTo + 4 * (args.S + position) * values, at, 4 * values);
}
