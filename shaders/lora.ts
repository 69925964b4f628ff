/** Low-rank changes of a layer's output on the CPU; the formulas stand in lora.wgsl. */
import { loadElement, storeElement } from './lib/element';
import { sum4 } from './lib/math';
import { firstItem, scratch } from './lib/parts';
import { highHalves, highPairs, lowHalves, lowPairs } from './lib/transpose';

@unmanaged
class Parts {
  h: usize;
  weight: usize;
  y: usize;
  dy: usize;
  dh: usize;
  dweight: usize;
  rows: usize;
  N: u32;
  OUT: u32;
  WIDTH: u32;
  PARTS: u32;
  R: u32;
  VEC4: u32;
  LOW1: u32;
  LOW2: u32;
  SHIFT0: u32;
  SHIFT1: u32;
  SHIFT2: u32;
  SCALE: f32;
}

/** First row of B of a part. */
@inline
function lowOf(args: Parts, part: u32): u32 {
  return part == 0 ? 0 : min(args.OUT, part == 1 ? args.LOW1 : part == 2 ? args.LOW2 : args.OUT);
}

@inline
function shiftOf(args: Parts, part: u32): u32 {
  return part == 0 ? args.SHIFT0 : part == 1 ? args.SHIFT1 : args.SHIFT2;
}

export function forward(args: Parts, tokens: u32, part: u32, parts: u32): void {
  const end = firstItem(tokens, part + 1, parts);
  for (let n = firstItem(tokens, part, parts); n < end; n++) {
    for (let s: u32 = 0; s < args.PARTS; s++) {
      const h = args.h + 4 * (n * args.PARTS + s) * args.R;
      const y = args.y + 4 * (n * args.WIDTH + shiftOf(args, s));
      if (args.VEC4) addProducts<v128>(args, h, y, lowOf(args, s), lowOf(args, s + 1));
      else addProducts<f32>(args, h, y, lowOf(args, s), lowOf(args, s + 1));
    }
  }
}

function addProducts<T>(args: Parts, h: usize, y: usize, low: u32, high: u32): void {
  const bytes: u32 = 4 * args.R;
  let weight = args.weight + low * bytes;
  let b = low;
  if (sizeof<T>() == 16) {
    for (; b + 4 <= high; b += 4, weight += 4 * bytes) addFourProducts(h, weight, bytes, y + 4 * b, args.SCALE);
  }
  for (; b < high; b++, weight += bytes) {
    let sum = f32x4.splat(0);
    for (let c: u32 = 0; c < bytes; c += sizeof<T>()) {
      sum = f32x4.add(sum, f32x4.mul(loadElement<T>(h + c), loadElement<T>(weight + c)));
    }
    store<f32>(y + 4 * b, load<f32>(y + 4 * b) + args.SCALE * sum4(sum));
  }
}

/** y [4] += scale · four rows of `bytes` times h: each by the additions of `sum4`, but all four at once. */
function addFourProducts(h: usize, row: usize, bytes: usize, y: usize, scale: f32): void {
  let a = f32x4.splat(0);
  let b = f32x4.splat(0);
  let c = f32x4.splat(0);
  let d = f32x4.splat(0);
  for (const end = h + bytes; h < end; h += 16, row += 16) {
    const x = v128.load(h);
    a = f32x4.add(a, f32x4.mul(x, v128.load(row)));
    b = f32x4.add(b, f32x4.mul(x, v128.load(row + bytes)));
    c = f32x4.add(c, f32x4.mul(x, v128.load(row + 2 * bytes)));
    d = f32x4.add(d, f32x4.mul(x, v128.load(row + 3 * bytes)));
  }
  const ab = f32x4.add(lowPairs(a, b), highPairs(a, b));
  const cd = f32x4.add(lowPairs(c, d), highPairs(c, d));
  const sums = f32x4.add(lowHalves(ab, cd), highHalves(ab, cd));
  v128.store(y, f32x4.add(v128.load(y), f32x4.mul(f32x4.splat(scale), sums)));
}

export function hidden(args: Parts, tokens: u32, part: u32, parts: u32): void {
  const end = firstItem(tokens, part + 1, parts);
  for (let n = firstItem(tokens, part, parts); n < end; n++) {
    for (let s: u32 = 0; s < args.PARTS; s++) {
      const dh = args.dh + 4 * (n * args.PARTS + s) * args.R;
      const dy = args.dy + 4 * (n * args.WIDTH + shiftOf(args, s));
      const low = lowOf(args, s);
      const weight = args.weight + 4 * low * args.R;
      const count = lowOf(args, s + 1) - low;
      if (args.VEC4) addRows<v128>(dh, weight, 4 * args.R, dy + 4 * low, 4, count, args.SCALE, args.R);
      else addRows<f32>(dh, weight, 4 * args.R, dy + 4 * low, 4, count, args.SCALE, args.R);
    }
  }
}

/** to [R] += scale · factors [count] · rows [count, R], one row after the other; `step`s are from one to the next. */
function addRows<T>(
  to: usize,
  rows: usize,
  rowStep: usize,
  factors: usize,
  factorStep: usize,
  count: u32,
  scale: f32,
  R: u32,
): void {
  const bytes: usize = 4 * R;
  const end = factors + count * factorStep;
  const by = f32x4.splat(scale);
  let c: usize = 0;
  for (; sizeof<T>() == 16 && c + 64 <= bytes; c += 64) {
    let s0 = v128.load(to + c);
    let s1 = v128.load(to + c, 16);
    let s2 = v128.load(to + c, 32);
    let s3 = v128.load(to + c, 48);
    let row = rows + c;
    for (let at = factors; at < end; at += factorStep, row += rowStep) {
      const factor = f32x4.mul(by, v128.load_splat<f32>(at));
      s0 = f32x4.add(s0, f32x4.mul(factor, v128.load(row)));
      s1 = f32x4.add(s1, f32x4.mul(factor, v128.load(row, 16)));
      s2 = f32x4.add(s2, f32x4.mul(factor, v128.load(row, 32)));
      s3 = f32x4.add(s3, f32x4.mul(factor, v128.load(row, 48)));
    }
    v128.store(to + c, s0);
    v128.store(to + c, s1, 16);
    v128.store(to + c, s2, 32);
    v128.store(to + c, s3, 48);
  }
  for (; c < bytes; c += sizeof<T>()) {
    let sum = loadElement<T>(to + c);
    let row = rows + c;
    for (let at = factors; at < end; at += factorStep, row += rowStep) {
      const factor = f32x4.mul(by, v128.load_splat<f32>(at));
      sum = f32x4.add(sum, f32x4.mul(factor, loadElement<T>(row)));
    }
    storeElement<T>(to + c, sum);
  }
}

/** Tokens and rows of B whose slopes are copied side by side: rows of dy may be a multiple of 4 KiB apart. */
const tokensAtOnce: u32 = 16;
const rowsAtOnce: u32 = 256;

/** A part of B's rows each: the tokens are added one after the other. */
export function weights(args: Parts, _items: u32, part: u32, parts: u32): void {
  const first = firstItem(args.OUT, part, parts);
  const end = firstItem(args.OUT, part + 1, parts);
  const tokens = args.rows ? min(args.N, load<u32>(args.rows)) : args.N;
  for (let s: u32 = 0; s < args.PARTS; s++) {
    const high = min(end, lowOf(args, s + 1));
    for (let low = max(first, lowOf(args, s)); low < high; low += rowsAtOnce) {
      const count = min(rowsAtOnce, high - low);
      for (let n: u32 = 0; n < tokens; n += tokensAtOnce) {
        addTokens(args, s, low, count, n, min(tokensAtOnce, tokens - n));
      }
    }
  }
}

/** Adds the tokens from n on to `count` rows from `low` on. */
function addTokens(args: Parts, s: u32, low: u32, count: u32, n: u32, tokens: u32): void {
  const bytes = 4 * args.R;
  const hiddenBytes = args.PARTS * bytes;
  const slopesBytes = 4 * count;
  const dy = args.dy + 4 * (n * args.WIDTH + shiftOf(args, s) + low);
  for (let t: u32 = 0; t < tokens; t++) memory.copy(scratch + t * slopesBytes, dy + 4 * t * args.WIDTH, slopesBytes);
  const h = args.h + n * hiddenBytes + s * bytes;
  for (let i: u32 = 0; i < count; i++) {
    const to = args.dweight + (low + i) * bytes;
    const slopes = scratch + 4 * i;
    if (args.VEC4) addRows<v128>(to, h, hiddenBytes, slopes, slopesBytes, tokens, args.SCALE, args.R);
    else addRows<f32>(to, h, hiddenBytes, slopes, slopesBytes, tokens, args.SCALE, args.R);
  }
}
