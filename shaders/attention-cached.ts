/**
 * Attention over a cache on the CPU; the formulas stand in attention-cached.wgsl, the layout of the cache in
 * rotary-into-cache.ts. Sums are those of attention.ts, in the same order.
 */
import { widthOf } from './lib/element';
import { exp2x4, sum4 } from './lib/math';
import { scratch } from './lib/parts';

@unmanaged
class Forward {
  qkv: usize;
  cache: usize;
  places: usize;
  y: usize;
  H: u32;
  HK: u32;
  EV: u32;
  VEC4: u32;
  S: u32;
  SCALE: f32;
}

/** Keys that are multiplied at once. */
const block: u32 = 16;

/** Key/value heads of all tokens go to the parts in turn. */
export function forward(args: Forward, tokens: u32, part: u32, parts: u32): void {
  const E = widthOf(args.EV, args.VEC4);
  const S = args.S;
  const group = args.H / args.HK;
  for (let i = part; i < tokens * args.HK; i += parts) {
    const n = i / args.HK;
    const position = load<u32>(args.places + 8 * n, 4);
    if (position >= S) continue;
    const kvHead = i % args.HK;
    const slot = args.cache + 8 * load<u32>(args.places + 8 * n) * S * args.HK * E;
    const keys = slot + 4 * kvHead * E * S;
    const values = slot + 4 * (S * args.HK + kvHead) * E;
    for (let head = kvHead * group; head < (kvHead + 1) * group; head++) {
      const query = args.qkv + 4 * (n * (args.H + 2 * args.HK) + head) * E;
      attend(
        query,
        keys,
        values,
        4 * S,
        4 * args.HK * E,
        E,
        args.SCALE,
        position + 1,
        args.y + 4 * (n * args.H + head) * E,
      );
    }
  }
}

function attend(
  query: usize,
  keys: usize,
  values: usize,
  keyBytes: usize,
  valueBytes: usize,
  E: u32,
  scale: f32,
  count: u32,
  y: usize,
): void {
  const scaled = scratch; // [E]
  const scores = scratch + ((4 * E + 15) & ~15); // [count], and up to 15 more
  for (let e: u32 = 0; e < E; e++) store<f32>(scaled + 4 * e, load<f32>(query + 4 * e) * scale);
  for (let j: u32 = 0; j < count; j += block) multiply(scaled, E, keys + 4 * j, keyBytes, scores + 4 * j);
  for (let j = count; j & 3; j++) store<f32>(scores + 4 * j, -Infinity);
  const sum = softmax(scores, count);
  let e: u32 = 0;
  for (; e + 16 <= E; e += 16) weigh(scores, count, values + 4 * e, valueBytes, sum, y + 4 * e);
  for (; e + 4 <= E; e += 4) weigh4(scores, count, values + 4 * e, valueBytes, sum, y + 4 * e);
  for (; e < E; e++) weigh1(scores, count, values + 4 * e, valueBytes, sum, y + 4 * e);
}

/** Scores of 16 keys, which stand beside each other in each of E rows. */
function multiply(query: usize, E: u32, keys: usize, keyBytes: usize, scores: usize): void {
  let s0 = f32x4.splat(0);
  let s1 = f32x4.splat(0);
  let s2 = f32x4.splat(0);
  let s3 = f32x4.splat(0);
  for (const end = query + 4 * E; query < end; query += 4, keys += keyBytes) {
    const q = v128.load_splat<f32>(query);
    s0 = f32x4.add(s0, f32x4.mul(q, v128.load(keys)));
    s1 = f32x4.add(s1, f32x4.mul(q, v128.load(keys, 16)));
    s2 = f32x4.add(s2, f32x4.mul(q, v128.load(keys, 32)));
    s3 = f32x4.add(s3, f32x4.mul(q, v128.load(keys, 48)));
  }
  v128.store(scores, s0);
  v128.store(scores, s1, 16);
  v128.store(scores, s2, 32);
  v128.store(scores, s3, 48);
}

/** Scores become powers 2^(score - top); returns their sum. */
function softmax(scores: usize, count: u32): f32 {
  const end = scores + 4 * count;
  let tops = f32x4.splat(-Infinity);
  for (let at = scores; at < end; at += 16) tops = f32x4.pmax(tops, v128.load(at));
  tops = f32x4.pmax(tops, i32x4.shuffle(tops, tops, 2, 3, 0, 1));
  tops = f32x4.pmax(tops, i32x4.shuffle(tops, tops, 1, 0, 3, 2));
  let sums = f32x4.splat(0);
  do {
    const powers = exp2x4(f32x4.sub(v128.load(scores), tops));
    v128.store(scores, powers);
    sums = f32x4.add(sums, powers);
    scores += 16;
  } while (scores < end);
  return sum4(sums);
}

/** 16 components of the output. */
function weigh(powers: usize, count: u32, values: usize, valueBytes: usize, sum: f32, y: usize): void {
  let o0 = f32x4.splat(0);
  let o1 = f32x4.splat(0);
  let o2 = f32x4.splat(0);
  let o3 = f32x4.splat(0);
  for (const end = powers + 4 * count; powers < end; powers += 4, values += valueBytes) {
    const p = v128.load_splat<f32>(powers);
    o0 = f32x4.add(o0, f32x4.mul(p, v128.load(values)));
    o1 = f32x4.add(o1, f32x4.mul(p, v128.load(values, 16)));
    o2 = f32x4.add(o2, f32x4.mul(p, v128.load(values, 32)));
    o3 = f32x4.add(o3, f32x4.mul(p, v128.load(values, 48)));
  }
  const total = f32x4.splat(sum);
  v128.store(y, f32x4.div(o0, total));
  v128.store(y, f32x4.div(o1, total), 16);
  v128.store(y, f32x4.div(o2, total), 32);
  v128.store(y, f32x4.div(o3, total), 48);
}

function weigh4(powers: usize, count: u32, values: usize, valueBytes: usize, sum: f32, y: usize): void {
  let o = f32x4.splat(0);
  for (const end = powers + 4 * count; powers < end; powers += 4, values += valueBytes) {
    o = f32x4.add(o, f32x4.mul(v128.load_splat<f32>(powers), v128.load(values)));
  }
  v128.store(y, f32x4.div(o, f32x4.splat(sum)));
}

function weigh1(powers: usize, count: u32, values: usize, valueBytes: usize, sum: f32, y: usize): void {
  let o: f32 = 0;
  for (const end = powers + 4 * count; powers < end; powers += 4, values += valueBytes) {
    o += load<f32>(powers) * load<f32>(values);
  }
  store<f32>(y, o / sum);
}
