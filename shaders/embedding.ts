/** Embedding on the CPU; the formulas stand in embedding.wgsl. */
import { widthOf } from './lib/element';
import { floatAt, floatsAt } from './lib/halves';
import { addRow } from './lib/rows';
import { firstItem } from './lib/parts';

@unmanaged
class Forward {
  table: usize;
  tokens: usize;
  y: usize;
  W: u32;
  VEC4: u32;
}

export function forward(args: Forward, rows: u32, part: u32, parts: u32): void {
  const bytes = widthOf(args.W, args.VEC4) * 4;
  const end = firstItem(rows, part + 1, parts);
  for (let n = firstItem(rows, part, parts); n < end; n++) {
    memory.copy(args.y + n * bytes, args.table + load<u32>(args.tokens + 4 * n) * bytes, bytes);
  }
}

@unmanaged
class Halves {
  words: usize;
  tokens: usize;
  y: usize;
  W: u32;
  VEC4: u32;
}

export function halves(args: Halves, rows: u32, part: u32, parts: u32): void {
  const width = widthOf(args.W, args.VEC4);
  const end = firstItem(rows, part + 1, parts);
  for (let n = firstItem(rows, part, parts); n < end; n++) {
    const row = args.words + <usize>load<u32>(args.tokens + 4 * n) * ((width + 1) / 2) * 4;
    const y = args.y + 4 * n * width;
    let i: u32 = 0;
    for (; i + 4 <= width; i += 4) v128.store(y + 4 * i, floatsAt(row + 2 * i));
    for (; i < width; i++) store<f32>(y + 4 * i, floatAt(row + 2 * i));
  }
}

@unmanaged
class Link {
  tokens: usize;
  firstOut: usize;
  nextOut: usize;
  rows: usize;
  V: u32;
  N: u32;
  BOUNDED: u32;
}

/** The first part strings the lists of all tokens together, from the last place to the first. */
export function link(args: Link, _items: u32, part: u32, _parts: u32): void {
  if (part != 0) return;
  for (let v: u32 = 0; v < args.V; v++) store<u32>(args.firstOut + 4 * v, args.N);
  for (let n = args.BOUNDED ? load<u32>(args.rows) : args.N; n > 0; n--) {
    const place = n - 1;
    const first = args.firstOut + 4 * load<u32>(args.tokens + 4 * place);
    store<u32>(args.nextOut + 4 * place, load<u32>(first));
    store<u32>(first, place);
  }
}

@unmanaged
class Backward {
  first: usize;
  next: usize;
  dy: usize;
  dtable: usize;
  V: u32;
  N: u32;
  W: u32;
  VEC4: u32;
}

/** A part is some columns, because a few tokens have most of the places: 64 bytes or more, a line of the cache. */
export function backward(args: Backward, _items: u32, part: u32, parts: u32): void {
  const bytes = widthOf(args.W, args.VEC4) * 4;
  const lines = (bytes + 63) / 64;
  const start = 64 * firstItem(lines, part, parts);
  const count = min(bytes, 64 * firstItem(lines, part + 1, parts)) - start;
  if (count == 0) return;
  for (let v: u32 = 0; v < args.V; v++) {
    const row = args.dtable + v * bytes + start;
    for (let n = load<u32>(args.first + 4 * v); n < args.N; n = load<u32>(args.next + 4 * n)) {
      addRow(row, args.dy + n * bytes + start, count);
    }
  }
}
