/** Squared norms of gradients on the CPU; see gradient-norms.wgsl. */
import { sum4 } from './lib/math';
import { firstItem } from './lib/parts';

@unmanaged
class Forward {
  gradient: usize;
  ranges: usize;
  norms: usize;
}

export function forward(args: Forward, parameters: u32, part: u32, parts: u32): void {
  const end = firstItem(parameters, part + 1, parts);
  for (let p = firstItem(parameters, part, parts); p < end; p++) {
    const range = args.ranges + 8 * p;
    store<f32>(args.norms + 4 * p, squaredNorm(args.gradient, load<u32>(range), load<u32>(range + 4)));
  }
}

/** Sixteen partial sums, so that long ones lose less. */
function squaredNorm(numbers: usize, first: u32, end: u32): f32 {
  let a = f32x4.splat(0);
  let b = a;
  let c = a;
  let d = a;
  let at = numbers + 4 * first;
  const stop = numbers + 4 * end;
  for (; at + 64 <= stop; at += 64) {
    a = f32x4.add(a, square4(v128.load(at)));
    b = f32x4.add(b, square4(v128.load(at + 16)));
    c = f32x4.add(c, square4(v128.load(at + 32)));
    d = f32x4.add(d, square4(v128.load(at + 48)));
  }
  for (; at < stop; at += 4) a = f32x4.add(a, square4(v128.load32_zero(at)));
  return sum4(f32x4.add(f32x4.add(a, b), f32x4.add(c, d)));
}

@inline
function square4(x: v128): v128 {
  return f32x4.mul(x, x);
}
