/** Sums in a fixed order on the CPU, one chain per output; the formulas stand in matmul-reduce.wgsl. */
import { firstItem } from './lib/parts';

@unmanaged
class Sizes {
  M: u32;
  N: u32;
  K: u32;
  CHUNK: u32;
}

@unmanaged
class Splits {
  sizes: usize;
  partial: usize;
  bias: usize;
  residual: usize;
  c: usize;
  rows: usize;
  ACCUMULATE: u32;
}

@unmanaged
class Columns {
  sizes: usize;
  x: usize;
  c: usize;
  ACCUMULATE: u32;
}

export function splits(args: Splits, outputs: u32, part: u32, parts: u32): void {
  const sizes = changetype<Sizes>(args.sizes);
  const depth = args.rows ? min(sizes.K, load<u32>(args.rows)) : sizes.K;
  const count = (depth + sizes.CHUNK - 1) / sizes.CHUNK;
  const size: usize = 4 * sizes.M * sizes.N;
  const last = firstItem(outputs, part + 1, parts);
  let i = firstItem(outputs, part, parts);
  // Four outputs may be of two rows, so a bias is added number by number.
  for (; !args.bias && i + 4 <= last; i += 4) {
    let value = f32x4.splat(0);
    let at = args.partial + 4 * i;
    for (let z: u32 = 0; z < count; z++, at += size) value = f32x4.add(value, v128.load(at));
    if (args.residual) value = f32x4.add(value, v128.load(args.residual + 4 * i));
    if (args.ACCUMULATE) value = f32x4.add(value, v128.load(args.c + 4 * i));
    v128.store(args.c + 4 * i, value);
  }
  for (; i < last; i++) {
    let value: f32 = 0;
    let at = args.partial + 4 * i;
    for (let z: u32 = 0; z < count; z++, at += size) value += load<f32>(at);
    if (args.bias) value += load<f32>(args.bias + 4 * (i % sizes.N));
    if (args.residual) value += load<f32>(args.residual + 4 * i);
    if (args.ACCUMULATE) value += load<f32>(args.c + 4 * i);
    store<f32>(args.c + 4 * i, value);
  }
}

export function columns(args: Columns, _: u32, part: u32, parts: u32): void {
  const sizes = changetype<Sizes>(args.sizes);
  const chunks = (sizes.K + sizes.CHUNK - 1) / sizes.CHUNK;
  const last = firstItem(chunks, part + 1, parts);
  const width: usize = 4 * sizes.N;
  for (let z = firstItem(chunks, part, parts); z < last; z++) {
    const x = args.x + z * sizes.CHUNK * width;
    const end = args.x + min(sizes.K, (z + 1) * sizes.CHUNK) * width;
    const c = args.c + z * width;
    let n: usize = 0;
    for (; n + 64 <= width; n += 64) columnSums16(x + n, end, width, c + n, args.ACCUMULATE != 0);
    for (; n < width; n += 4) columnSum(x + n, end, width, c + n, args.ACCUMULATE != 0);
  }
}

/** c [16] (+)= the sums of 16 columns from `x` up to `end`, with rows `width` bytes apart. */
function columnSums16(x: usize, end: usize, width: usize, c: usize, accumulate: bool): void {
  let s0 = f32x4.splat(0);
  let s1 = s0;
  let s2 = s0;
  let s3 = s0;
  for (; x < end; x += width) {
    s0 = f32x4.add(s0, v128.load(x));
    s1 = f32x4.add(s1, v128.load(x, 16));
    s2 = f32x4.add(s2, v128.load(x, 32));
    s3 = f32x4.add(s3, v128.load(x, 48));
  }
  if (accumulate) {
    s0 = f32x4.add(s0, v128.load(c));
    s1 = f32x4.add(s1, v128.load(c, 16));
    s2 = f32x4.add(s2, v128.load(c, 32));
    s3 = f32x4.add(s3, v128.load(c, 48));
  }
  v128.store(c, s0);
  v128.store(c, s1, 16);
  v128.store(c, s2, 32);
  v128.store(c, s3, 48);
}

function columnSum(x: usize, end: usize, width: usize, c: usize, accumulate: bool): void {
  let sum: f32 = 0;
  for (; x < end; x += width) sum += load<f32>(x);
  store<f32>(c, accumulate ? sum + load<f32>(c) : sum);
}
