/** GELU on the CPU; the formulas stand in gelu.wgsl, with (1 + tanh(u)) / 2 = 1 / (1 + exp(-2 u)). */
import { loadElement, storeElement } from './lib/element';
import { sigmoid4 } from './lib/math';
import { firstItem } from './lib/parts';

/** 2 sqrt(2 / pi) */
const ROOT: f32 = 1.5957691216057308;
const CUBIC: f32 = 0.044715;

@inline
function sigmoidOf(v: v128): v128 {
  const cubic = f32x4.mul(f32x4.mul(f32x4.mul(f32x4.splat(CUBIC), v), v), v);
  return sigmoid4(f32x4.mul(f32x4.splat(ROOT), f32x4.add(v, cubic)));
}

@inline
function slopeOf(v: v128): v128 {
  const one = f32x4.splat(1);
  const s = sigmoidOf(v);
  const cubic = f32x4.mul(f32x4.mul(f32x4.splat(3 * CUBIC), v), v);
  const du = f32x4.mul(f32x4.splat(ROOT), f32x4.add(one, cubic));
  return f32x4.mul(s, f32x4.add(one, f32x4.mul(f32x4.mul(v, f32x4.sub(one, s)), du)));
}

@unmanaged
class Forward {
  x: usize;
  y: usize;
  W: u32;
  VEC4: u32;
}

export function forward(args: Forward, rows: u32, part: u32, parts: u32): void {
  const end = firstItem(rows, part + 1, parts);
  for (let n = firstItem(rows, part, parts); n < end; n++) {
    if (args.VEC4) forwardRow<v128>(args, n);
    else forwardRow<f32>(args, n);
  }
}

function forwardRow<T>(args: Forward, n: u32): void {
  const bytes = args.W * sizeof<T>();
  const x = args.x + n * bytes;
  const y = args.y + n * bytes;
  for (let c: u32 = 0; c < bytes; c += sizeof<T>()) {
    const v = loadElement<T>(x + c);
    storeElement<T>(y + c, f32x4.mul(v, sigmoidOf(v)));
  }
}

@unmanaged
class Backward {
  x: usize;
  dy: usize;
  dx: usize;
  W: u32;
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
  const bytes = args.W * sizeof<T>();
  const x = args.x + n * bytes;
  const dy = args.dy + n * bytes;
  const dx = args.dx + n * bytes;
  for (let c: u32 = 0; c < bytes; c += sizeof<T>()) {
    const change = f32x4.mul(loadElement<T>(dy + c), slopeOf(loadElement<T>(x + c)));
    storeElement<T>(dx + c, f32x4.add(loadElement<T>(dx + c), change));
  }
}
