/** Patch embedding on the CPU; the formulas stand in patch-embedding.wgsl. */
import { widthOf } from './lib/element';
import { sum4 } from './lib/math';
import { firstItem } from './lib/parts';

@unmanaged
class Forward {
  patches: usize;
  places: usize;
  weight: usize;
  bias: usize;
  x: usize;
  D: u32;
  W: u32;
  VEC4: u32;
}

export function forward(args: Forward, patches: u32, part: u32, parts: u32): void {
  const bytes = widthOf(args.W, args.VEC4) * 4;
  const end = firstItem(patches, part + 1, parts);
  for (let p = firstItem(patches, part, parts); p < end; p++) {
    const patch = args.patches + p * bytes;
    const x = args.x + load<u32>(args.places + 4 * p) * args.D * 4;
    for (let d: u32 = 0; d < args.D; d++) {
      store<f32>(x + 4 * d, load<f32>(args.bias + 4 * d) + inner(args.weight + d * bytes, patch, bytes));
    }
  }
}

/** a · b of rows of `bytes`. */
@inline
function inner(a: usize, b: usize, bytes: u32): f32 {
  let sums = f32x4.splat(0);
  let c: u32 = 0;
  for (; c + 16 <= bytes; c += 16) sums = f32x4.add(sums, f32x4.mul(v128.load(a + c), v128.load(b + c)));
  let sum = sum4(sums);
  for (; c < bytes; c += 4) sum += load<f32>(a + c) * load<f32>(b + c);
  return sum;
}

@unmanaged
class Weights {
  patches: usize;
  places: usize;
  dy: usize;
  dweight: usize;
  rows: usize;
  D: u32;
  W: u32;
  VEC4: u32;
}

export function weights(args: Weights, _items: u32, part: u32, parts: u32): void {
  const bytes = widthOf(args.W, args.VEC4) * 4;
  const end = firstItem(args.D, part + 1, parts);
  const patches = load<u32>(args.rows);
  for (let d = firstItem(args.D, part, parts); d < end; d++) {
    const row = args.dweight + d * bytes;
    for (let p: u32 = 0; p < patches; p++) {
      const dy = load<f32>(args.dy + (load<u32>(args.places + 4 * p) * args.D + d) * 4);
      addScaled(row, args.patches + p * bytes, dy, bytes);
    }
  }
}

/** to += scale · from, rows of `bytes`. */
@inline
function addScaled(to: usize, from: usize, scale: f32, bytes: u32): void {
  const scales = f32x4.splat(scale);
  let c: u32 = 0;
  for (; c + 16 <= bytes; c += 16)
    v128.store(to + c, f32x4.add(v128.load(to + c), f32x4.mul(scales, v128.load(from + c))));
  for (; c < bytes; c += 4) store<f32>(to + c, load<f32>(to + c) + scale * load<f32>(from + c));
}

@unmanaged
class Biases {
  places: usize;
  dx: usize;
  dbias: usize;
  rows: usize;
  D: u32;
}

export function biases(args: Biases, _items: u32, part: u32, parts: u32): void {
  const end = firstItem(args.D, part + 1, parts);
  const patches = load<u32>(args.rows);
  for (let d = firstItem(args.D, part, parts); d < end; d++) {
    let sum: f32 = 0;
    for (let p: u32 = 0; p < patches; p++) {
      const dx = args.dx + (load<u32>(args.places + 4 * p) * args.D + d) * 4;
      sum += load<f32>(dx);
      store<f32>(dx, 0);
    }
    store<f32>(args.dbias + 4 * d, load<f32>(args.dbias + 4 * d) + sum);
  }
}
