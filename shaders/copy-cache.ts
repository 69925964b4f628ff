/** Copies positions of the cache from slot to slot; its layout stands in rotary-into-cache.ts. */
import { widthOf } from './lib/element';

@unmanaged
class Forward {
  copies: usize;
  cache: usize;
  S: u32;
  W: u32;
  VEC4: u32;
}

export function forward(args: Forward, copies: u32, part: u32, parts: u32): void {
  const values = widthOf(args.W, args.VEC4) / 2;
  const slotBytes = 8 * args.S * values;
  for (let copy = part; copy < copies; copy += parts) {
    const at = args.copies + 16 * copy;
    const first = load<u32>(at, 8);
    const end = load<u32>(at, 12);
    if (first >= end) continue;
    let from = args.cache + load<u32>(at) * slotBytes + 4 * first;
    let to = args.cache + load<u32>(at, 4) * slotBytes + 4 * first;
    for (let row: u32 = 0; row < values; row++, from += 4 * args.S, to += 4 * args.S) {
      memory.copy(to, from, 4 * (end - first));
    }
    const skipped = 4 * first * (values - 1);
    memory.copy(to + skipped, from + skipped, 4 * (end - first) * values);
  }
}
