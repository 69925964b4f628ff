/** Rows by index on the CPU; the formulas stand in gather-rows.wgsl. */
import { widthOf } from './lib/element';
import { addRow } from './lib/rows';
import { firstItem } from './lib/parts';

@unmanaged
class Forward {
  x: usize;
  chosen: usize;
  y: usize;
  N: u32;
  W: u32;
  VEC4: u32;
}

export function forward(args: Forward, rows: u32, part: u32, parts: u32): void {
  const bytes = widthOf(args.W, args.VEC4) * 4;
  const end = firstItem(rows, part + 1, parts);
  for (let m = firstItem(rows, part, parts); m < end; m++) {
    const n = load<u32>(args.chosen + 4 * m);
    const y = args.y + m * bytes;
    if (n < args.N) memory.copy(y, args.x + n * bytes, bytes);
    else memory.fill(y, 0, bytes);
  }
}

@unmanaged
class Backward {
  chosen: usize;
  dy: usize;
  dx: usize;
  N: u32;
  W: u32;
  VEC4: u32;
}

export function backward(args: Backward, rows: u32, part: u32, parts: u32): void {
  const bytes = widthOf(args.W, args.VEC4) * 4;
  const end = firstItem(rows, part + 1, parts);
  for (let m = firstItem(rows, part, parts); m < end; m++) {
    const n = load<u32>(args.chosen + 4 * m);
    if (n < args.N) addRow(args.dx + n * bytes, args.dy + m * bytes, bytes);
  }
}
