/** RMSNorm of the heads of queries and keys on the CPU; the formulas stand in head-norm.wgsl. */
import { loadElement, storeElement } from './lib/element';
import { sum4 } from './lib/math';
import { firstItem } from './lib/parts';
import { addRow } from './lib/rows';

@unmanaged
class Forward {
  x: usize;
  queryWeight: usize;
  keyWeight: usize;
  y: usize;
  H: u32;
  HK: u32;
  E: u32;
  VEC4: u32;
  EPSILON: f32;
}

export function forward(args: Forward, tokens: u32, part: u32, parts: u32): void {
  const bytes = args.E * 4;
  const heads = args.H + 2 * args.HK;
  const end = firstItem(tokens, part + 1, parts);
  for (let n = firstItem(tokens, part, parts); n < end; n++) {
    let at: usize = n * heads * bytes;
    for (let head: u32 = 0; head < args.H + args.HK; head++, at += bytes) {
      const weight = head < args.H ? args.queryWeight : args.keyWeight;
      if (args.VEC4) forwardHead<v128>(args, args.x + at, weight, args.y + at);
      else forwardHead<f32>(args, args.x + at, weight, args.y + at);
    }
    memory.copy(args.y + at, args.x + at, args.HK * bytes);
  }
}

function forwardHead<T>(args: Forward, x: usize, weight: usize, y: usize): void {
  const bytes = args.E * 4;
  const r = f32x4.splat(scaleOf<T>(x, args.E, args.EPSILON));
  for (let c: u32 = 0; c < bytes; c += sizeof<T>()) {
    storeElement<T>(y + c, f32x4.mul(f32x4.mul(loadElement<T>(x + c), r), loadElement<T>(weight + c)));
  }
}

function scaleOf<T>(x: usize, E: u32, epsilon: f32): f32 {
  let squares = f32x4.splat(0);
  for (let c: u32 = 0; c < E * 4; c += sizeof<T>()) {
    const value = loadElement<T>(x + c);
    squares = f32x4.add(squares, f32x4.mul(value, value));
  }
  return 1 / sqrt<f32>(sum4(squares) / <f32>E + epsilon);
}

@unmanaged
class Backward {
  x: usize;
  queryWeight: usize;
  keyWeight: usize;
  dy: usize;
  dx: usize;
  H: u32;
  HK: u32;
  E: u32;
  VEC4: u32;
  EPSILON: f32;
}

export function backward(args: Backward, tokens: u32, part: u32, parts: u32): void {
  const bytes = args.E * 4;
  const heads = args.H + 2 * args.HK;
  const end = firstItem(tokens, part + 1, parts);
  for (let n = firstItem(tokens, part, parts); n < end; n++) {
    let at: usize = n * heads * bytes;
    for (let head: u32 = 0; head < args.H + args.HK; head++, at += bytes) {
      const weight = head < args.H ? args.queryWeight : args.keyWeight;
      if (args.VEC4) backwardHead<v128>(args, at, weight);
      else backwardHead<f32>(args, at, weight);
    }
    addRow(args.dx + at, args.dy + at, args.HK * bytes);
  }
}

function backwardHead<T>(args: Backward, at: usize, weight: usize): void {
  const bytes = args.E * 4;
  const x = args.x + at;
  const dy = args.dy + at;
  const dx = args.dx + at;
  const r = scaleOf<T>(x, args.E, args.EPSILON);
  let sum = f32x4.splat(0);
  for (let c: u32 = 0; c < bytes; c += sizeof<T>()) {
    const slope = f32x4.mul(loadElement<T>(dy + c), loadElement<T>(weight + c));
    sum = f32x4.add(sum, f32x4.mul(slope, loadElement<T>(x + c)));
  }
  const along = f32x4.splat((r * r * sum4(sum)) / <f32>args.E);
  for (let c: u32 = 0; c < bytes; c += sizeof<T>()) {
    const slope = f32x4.mul(loadElement<T>(dy + c), loadElement<T>(weight + c));
    const change = f32x4.mul(f32x4.splat(r), f32x4.sub(slope, f32x4.mul(loadElement<T>(x + c), along)));
    storeElement<T>(dx + c, f32x4.add(loadElement<T>(dx + c), change));
  }
}
