/** Low-rank changes of a layer's output on the CPU; the formulas stand in lora.wgsl. */
import { loadElement, storeElement } from './lib/element';
import { sum4 } from './lib/math';
import { firstItem } from './lib/parts';

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
  for (let b = low; b < high; b++, weight += bytes) {
    let sum = f32x4.splat(0);
    for (let c: u32 = 0; c < bytes; c += sizeof<T>()) {
      sum = f32x4.add(sum, f32x4.mul(loadElement<T>(h + c), loadElement<T>(weight + c)));
    }
    store<f32>(y + 4 * b, load<f32>(y + 4 * b) + args.SCALE * sum4(sum));
  }
}

export function hidden(args: Parts, tokens: u32, part: u32, parts: u32): void {
  const end = firstItem(tokens, part + 1, parts);
  for (let n = firstItem(tokens, part, parts); n < end; n++) {
    for (let s: u32 = 0; s < args.PARTS; s++) {
      const dh = args.dh + 4 * (n * args.PARTS + s) * args.R;
      const dy = args.dy + 4 * (n * args.WIDTH + shiftOf(args, s));
      for (let b = lowOf(args, s); b < lowOf(args, s + 1); b++) {
        const slope = args.SCALE * load<f32>(dy + 4 * b);
        if (args.VEC4) addScaled<v128>(dh, args.weight + 4 * b * args.R, slope, args.R);
        else addScaled<f32>(dh, args.weight + 4 * b * args.R, slope, args.R);
      }
    }
  }
}

/** A part of B's rows each: the tokens are added one after the other. */
export function weights(args: Parts, _items: u32, part: u32, parts: u32): void {
  const first = firstItem(args.OUT, part, parts);
  const end = firstItem(args.OUT, part + 1, parts);
  const tokens = args.rows ? min(args.N, load<u32>(args.rows)) : args.N;
  for (let n: u32 = 0; n < tokens; n++) {
    for (let s: u32 = 0; s < args.PARTS; s++) {
      const h = args.h + 4 * (n * args.PARTS + s) * args.R;
      const dy = args.dy + 4 * (n * args.WIDTH + shiftOf(args, s));
      const high = min(end, lowOf(args, s + 1));
      for (let b = max(first, lowOf(args, s)); b < high; b++) {
        const slope = args.SCALE * load<f32>(dy + 4 * b);
        if (args.VEC4) addScaled<v128>(args.dweight + 4 * b * args.R, h, slope, args.R);
        else addScaled<f32>(args.dweight + 4 * b * args.R, h, slope, args.R);
      }
    }
  }
}

/** to += factor · from, `count` numbers. */
@inline
function addScaled<T>(to: usize, from: usize, factor: f32, count: u32): void {
  for (let c: u32 = 0; c < 4 * count; c += sizeof<T>()) {
    const change = f32x4.mul(f32x4.splat(factor), loadElement<T>(from + c));
    storeElement<T>(to + c, f32x4.add(loadElement<T>(to + c), change));
  }
}
