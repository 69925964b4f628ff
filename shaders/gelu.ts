/** GELU on the CPU; the formulas stand in gelu.wgsl. */
import { loadElement, storeElement } from './lib/element';
import { tanh4 } from './lib/math';
import { firstItem } from './lib/threads';

/** sqrt(2 / pi) */
const ROOT: f32 = 0.7978845608028654;
const CUBIC: f32 = 0.044715;

@inline
function tanhOf(v: v128): v128 {
  const cubic = f32x4.mul(f32x4.mul(f32x4.mul(f32x4.splat(CUBIC), v), v), v);
  return tanh4(f32x4.mul(f32x4.splat(ROOT), f32x4.add(v, cubic)));
}

@inline
function gelu4(v: v128): v128 {
  return f32x4.mul(f32x4.mul(f32x4.splat(0.5), v), f32x4.add(f32x4.splat(1), tanhOf(v)));
}

/** The slope of GELU. */
@inline
function slope4(v: v128): v128 {
  const one = f32x4.splat(1);
  const t = tanhOf(v);
  const du = f32x4.mul(f32x4.splat(ROOT), f32x4.add(one, f32x4.mul(f32x4.mul(f32x4.splat(3 * CUBIC), v), v)));
  const rest = f32x4.mul(f32x4.mul(v, f32x4.sub(one, f32x4.mul(t, t))), du);
  return f32x4.mul(f32x4.splat(0.5), f32x4.add(f32x4.add(one, t), rest));
}

@unmanaged
class Forward {
  x: usize;
  y: usize;
  W: u32;
  VEC4: u32;
}

export function forward(args: Forward, rows: u32, thread: u32, threads: u32): void {
  const end = firstItem(rows, thread + 1, threads);
  for (let n = firstItem(rows, thread, threads); n < end; n++) {
    if (args.VEC4) forwardRow<v128>(args, n);
    else forwardRow<f32>(args, n);
  }
}

function forwardRow<T>(args: Forward, n: u32): void {
  const bytes = args.W * sizeof<T>();
  const x = args.x + n * bytes;
  const y = args.y + n * bytes;
  for (let c: u32 = 0; c < bytes; c += sizeof<T>()) storeElement<T>(y + c, gelu4(loadElement<T>(x + c)));
}

@unmanaged
class Backward {
  x: usize;
  dy: usize;
  dx: usize;
  W: u32;
  VEC4: u32;
}

export function backward(args: Backward, rows: u32, thread: u32, threads: u32): void {
  const end = firstItem(rows, thread + 1, threads);
  for (let n = firstItem(rows, thread, threads); n < end; n++) {
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
    const change = f32x4.mul(loadElement<T>(dy + c), slope4(loadElement<T>(x + c)));
    storeElement<T>(dx + c, f32x4.add(loadElement<T>(dx + c), change));
  }
}
