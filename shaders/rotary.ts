/** Rotary positions on the CPU; the formulas stand in rotary.wgsl. */
import { turnHead, turnsOf } from './lib/rotary';
import { firstItem, scratch } from './lib/parts';

@unmanaged
class Rotate {
  x: usize;
  positions: usize;
  frequencies: usize;
  H: u32;
  HK: u32;
  E: u32;
  PAIR_STRIDE: u32;
  PARTNER: u32;
  DIRECTION: i32;
}

export function rotate(args: Rotate, tokens: u32, part: u32, parts: u32): void {
  const pairs = args.E / 2;
  const end = firstItem(tokens, part + 1, parts);
  for (let n = firstItem(tokens, part, parts); n < end; n++) {
    turnsOf(args.frequencies, pairs, load<u32>(args.positions + 4 * n), scratch);
    let at = args.x + 4 * n * (args.H + 2 * args.HK) * args.E;
    for (let head: u32 = 0; head < args.H + args.HK; head++, at += 4 * args.E) {
      turnHead(at, at, scratch, pairs, args.PAIR_STRIDE, args.PARTNER, <f32>args.DIRECTION);
    }
  }
}
