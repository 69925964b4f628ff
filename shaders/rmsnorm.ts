/** RMSNorm on the CPU; the formulas stand in rmsnorm.wgsl. */
import { loadElement, storeElement } from './lib/element';
import { sum4 } from './lib/math';
import { firstItem } from './lib/parts';

@unmanaged
class Forward {
  x: usize;
  weight: usize;
  y: usize;
  scaleOut: usize;
  D: u32;
  VEC4: u32;
  EPSILON: f32;
}

export function forward(args: Forward, rows: u32, part: u32, parts: u32): void {
  const end = firstItem(rows, part + 1, parts);
  for (let n = firstItem(rows, part, parts); n < end; n++) {
    if (args.VEC4) forwardRow<v128>(args, n);
    else forwardRow<f32>(args, n);
  }
}

function forwardRow<T>(args: Forward, n: u32): void {
  const bytes = args.D * 4;
  const x = args.x + n * bytes;
  const y = args.y + n * bytes;
  const weight = args.weight;
  let squares = f32x4.splat(0);
  for (let c: u32 = 0; c < bytes; c += sizeof<T>()) {
    const value = loadElement<T>(x + c);
    squares = f32x4.add(squares, f32x4.mul(value, value));
  }
  const r: f32 = 1 / sqrt<f32>(sum4(squares) / <f32>args.D + args.EPSILON);
  store<f32>(args.scaleOut + 4 * n, r);
  const r4 = f32x4.splat(r);
  for (let c: u32 = 0; c < bytes; c += sizeof<T>()) {
    storeElement<T>(y + c, f32x4.mul(f32x4.mul(loadElement<T>(x + c), r4), loadElement<T>(weight + c)));
  }
}

@unmanaged
class Backward {
  x: usize;
  weight: usize;
  dy: usize;
  scale: usize;
  dx: usize;
  D: u32;
  VEC4: u32;
}

export function backward(args: Backward, rows: u32, part: u32, parts: u32): void {
  const end = firstItem(rows, part + 1, parts);
  for (let n = firstItem(rows, part, parts); n < end; n++) {
    if (args.VEC4) backwardRow<v128>(args, n);
    else backwardRow<f32>(args, n);
  }
}

function backwardRow<T>(args: Backward, n: u32): void {
  const bytes = args.D * 4;
  const x = args.x + n * bytes;
  const dy = args.dy + n * bytes;
  const dx = args.dx + n * bytes;
  const weight = args.weight;
  let sum = f32x4.splat(0);
  for (let c: u32 = 0; c < bytes; c += sizeof<T>()) {
    const slope = f32x4.mul(loadElement<T>(dy + c), loadElement<T>(weight + c));
    sum = f32x4.add(sum, f32x4.mul(slope, loadElement<T>(x + c)));
  }
  const r = load<f32>(args.scale + 4 * n);
  const along = f32x4.splat((r * r * sum4(sum)) / <f32>args.D);
  const r4 = f32x4.splat(r);
  for (let c: u32 = 0; c < bytes; c += sizeof<T>()) {
    const slope = f32x4.mul(loadElement<T>(dy + c), loadElement<T>(weight + c));
    const change = f32x4.mul(r4, f32x4.sub(slope, f32x4.mul(loadElement<T>(x + c), along)));
    storeElement<T>(dx + c, f32x4.add(loadElement<T>(dx + c), change));
  }
}

@unmanaged
class WeightPartial {
  x: usize;
  scale: usize;
  dy: usize;
  partialOut: usize;
  N: u32;
  D: u32;
  CHUNK: u32;
  VEC4: u32;
}

export function weightPartial(args: WeightPartial, _items: u32, part: u32, parts: u32): void {
  const chunks = (args.N + args.CHUNK - 1) / args.CHUNK;
  const end = firstItem(chunks, part + 1, parts);
  for (let chunk = firstItem(chunks, part, parts); chunk < end; chunk++) {
    if (args.VEC4) sumChunk<v128>(args, chunk);
    else sumChunk<f32>(args, chunk);
  }
}

function sumChunk<T>(args: WeightPartial, chunk: u32): void {
  const bytes = args.D * 4;
  const partial = args.partialOut + chunk * bytes;
  memory.fill(partial, 0, bytes);
  const first = chunk * args.CHUNK;
  const end = min(first + args.CHUNK, args.N);
  for (let n = first; n < end; n++) {
    const x = args.x + n * bytes;
    const dy = args.dy + n * bytes;
    const r = f32x4.splat(load<f32>(args.scale + 4 * n));
    for (let c: u32 = 0; c < bytes; c += sizeof<T>()) {
      const term = f32x4.mul(f32x4.mul(loadElement<T>(dy + c), loadElement<T>(x + c)), r);
      storeElement<T>(partial + c, f32x4.add(loadElement<T>(partial + c), term));
    }
  }
}

@unmanaged
class WeightTotal {
  partial: usize;
  dweight: usize;
  N: u32;
  D: u32;
  W: u32;
  CHUNK: u32;
  VEC4: u32;
}

export function weightTotal(args: WeightTotal, _items: u32, part: u32, parts: u32): void {
  const end = firstItem(args.W, part + 1, parts);
  for (let column = firstItem(args.W, part, parts); column < end; column++) {
    if (args.VEC4) sumColumn<v128>(args, column);
    else sumColumn<f32>(args, column);
  }
}

function sumColumn<T>(args: WeightTotal, column: u32): void {
  const bytes = args.D * 4;
  const chunks = (args.N + args.CHUNK - 1) / args.CHUNK;
  let at = args.partial + column * sizeof<T>();
  let sum = f32x4.splat(0);
  for (let chunk: u32 = 0; chunk < chunks; chunk++, at += bytes) sum = f32x4.add(sum, loadElement<T>(at));
  const total = args.dweight + column * sizeof<T>();
  storeElement<T>(total, f32x4.add(loadElement<T>(total), sum));
}
