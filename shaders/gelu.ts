/** GELU on the CPU; the formulas stand in gelu.wgsl. */
import { widthOf } from './lib/element';
import { tanh4 } from './lib/math';
import { firstItem } from './lib/threads';

@unmanaged
class Forward {
  x: usize;
  y: usize;
  W: u32;
  VEC4: u32;
}

@inline
function tanhOf(v: v128): v128 {
  const cubic = f32x4.mul(f32x4.mul(f32x4.mul(f32x4.splat(0.044715), v), v), v);
  return tanh4(f32x4.mul(f32x4.splat(0.7978845608028654), f32x4.add(v, cubic)));
}

@inline
function gelu4(v: v128): v128 {
  return f32x4.mul(f32x4.mul(f32x4.splat(0.5), v), f32x4.add(f32x4.splat(1), tanhOf(v)));
}

export function forward(args: Forward, rows: u32, thread: u32, threads: u32): void {
  const width = widthOf(args.W, args.VEC4);
  const first = firstItem(rows, thread, threads) * width;
  const count = firstItem(rows, thread + 1, threads) * width - first;
  const x = args.x + 4 * first;
  const y = args.y + 4 * first;
  let i: u32 = 0;
  for (; i + 4 <= count; i += 4) v128.store(y + 4 * i, gelu4(v128.load(x + 4 * i)));
  for (; i < count; i++) store<f32>(y + 4 * i, f32x4.extract_lane(gelu4(v128.load_splat<f32>(x + 4 * i)), 0));
}
