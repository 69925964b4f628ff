/** Gradient of causal attention on the CPU; the formulas stand in attention-backward.wgsl. */
import {
  addRows,
  addSeenRows,
  ascending,
  fromLanes,
  multiply,
  padRows,
  seenBy,
  seenByOne,
  tileBytes,
  tileEnd,
  toLanes,
  weigh,
} from './lib/attention';
import { widthOf } from './lib/element';
import { exp2x4 } from './lib/math';
import { scratch } from './lib/threads';

@unmanaged
class Queries {
  qkv: usize;
  ranges: usize;
  y: usize;
  lse: usize;
  dy: usize;
  deltaOut: usize;
  dqkv: usize;
  H: u32;
  HK: u32;
  EV: u32;
  VEC4: u32;
  SCALE: f32;
}

@unmanaged
class Keys {
  qkv: usize;
  ranges: usize;
  lse: usize;
  dy: usize;
  delta: usize;
  dqkv: usize;
  H: u32;
  HK: u32;
  EV: u32;
  VEC4: u32;
  SCALE: f32;
}

const ln2: f32 = 0.6931471805599453;

/** A thread takes consecutive tiles; all threads have about the same number of keys. */
export function queries(args: Queries, tokens: u32, thread: u32, threads: u32): void {
  const keys = seenBy(args.ranges, 0, tokens);
  const from = (keys * thread) / threads;
  const to = (keys * (thread + 1)) / threads;
  let before: u64 = 0;
  for (let first: u32 = 0; first < tokens && before < to;) {
    const end = tileEnd(args.ranges, first, tokens);
    if (before >= from) queriesTile(args, first, end);
    before += seenBy(args.ranges, first, end);
    first = end;
  }
}

function queriesTile(args: Queries, first: u32, end: u32): void {
  const E = widthOf(args.EV, args.VEC4);
  const H = args.H;
  const count = end - first;
  const rowBytes = 4 * (H + 2 * args.HK) * E;
  const row = rowBytes * first;
  const range = args.ranges + 16 * first;
  const seen = seenByOne(range, first);

  const queries = scratch; // [E, 8]
  const dys = queries + tileBytes * E; // [E, 8]
  const sums = dys + tileBytes * E; // [E, 8]
  const lses = sums + tileBytes * E; // [8]
  const deltas = lses + tileBytes; // [8]
  const table = deltas + tileBytes;
  const tableEnd = addSeenRows(table, range, end - 1, args.qkv, rowBytes);
  const keys = <u32>(tableEnd - table) / 4;
  const rows = padRows(table, tableEnd);
  const scores = table + 4 * rows; // [rows, 8]
  const products = scores + tileBytes * rows; // [rows, 8]

  for (let head: u32 = 0; head < H; head++) {
    const key = 4 * (H + head / (H / args.HK)) * E;
    const out = first * H + head;
    for (let i: u32 = 0; i < 8; i++) {
      const n = 4 * (out + min(i, count - 1) * H);
      const delta = dot(args.dy + n * E, args.y + n * E, E);
      store<f32>(lses + 4 * i, load<f32>(args.lse + n));
      store<f32>(deltas + 4 * i, delta);
      store<f32>(args.deltaOut + n, delta);
    }
    toLanes(args.qkv + row + 4 * head * E, rowBytes, count, E, args.SCALE, queries);
    multiply(queries, E, table, rows, key, scores);
    toLanes(args.dy + 4 * out * E, 4 * H * E, count, E, 1, dys);
    multiply(dys, E, table, rows, key + 4 * args.HK * E, products);
    const seen0 = ascending(seen, seen + count - 1);
    const seen1 = ascending(seen + 4, seen + count - 1);
    for (let j: u32 = 0; j < keys; j++) {
      const at = scores + tileBytes * j;
      const d = products + tileBytes * j;
      const nth = i32x4.splat(j);
      const p0 = v128.and(exp2x4(f32x4.sub(v128.load(at), v128.load(lses))), i32x4.gt_s(seen0, nth));
      const p1 = v128.and(exp2x4(f32x4.sub(v128.load(at, 16), v128.load(lses, 16))), i32x4.gt_s(seen1, nth));
      v128.store(at, f32x4.mul(p0, f32x4.sub(v128.load(d), v128.load(deltas))));
      v128.store(at, f32x4.mul(p1, f32x4.sub(v128.load(d, 16), v128.load(deltas, 16))), 16);
    }
    memory.fill(sums, 0, tileBytes * E);
    weigh(scores, E, table, keys, key, sums);
    fromLanes(sums, E, args.SCALE * ln2, args.dqkv + row + 4 * head * E, rowBytes, count, true);
  }
}

/** As `queries`, by the number of queries that see the keys. */
export function keys(args: Keys, tokens: u32, thread: u32, threads: u32): void {
  const queries = seeing(args.ranges, 0, tokens);
  const from = (queries * thread) / threads;
  const to = (queries * (thread + 1)) / threads;
  let before: u64 = 0;
  for (let first: u32 = 0; first < tokens && before < to;) {
    const end = tileEnd(args.ranges, first, tokens);
    if (before >= from) keysTile(args, first, end);
    before += seeing(args.ranges, first, end);
    first = end;
  }
}

/** Queries that see the tokens from `first` to `end`, all together. */
function seeing(ranges: usize, first: u32, end: u32): u64 {
  let queries: u64 = 0;
  for (let i = first; i < end; i++) queries += max(load<u32>(ranges + 16 * i, 12), i) - i;
  return queries;
}

function keysTile(args: Keys, first: u32, end: u32): void {
  const E = widthOf(args.EV, args.VEC4);
  const H = args.H;
  const group = H / args.HK;
  const count = end - first;
  const rowBytes = 4 * (H + 2 * args.HK) * E;
  // All tokens of a segment are seen until the same token.
  const until = load<u32>(args.ranges + 16 * first, 12);
  if (until <= first) return;
  const queries = until - first;

  const keys = scratch; // [E, 8]
  const values = keys + tileBytes * E; // [E, 8]
  const dKeys = values + tileBytes * E; // [E, 8]
  const dValues = dKeys + tileBytes * E; // [E, 8]
  const table = dValues + tileBytes * E;
  const rows = padRows(table, addRows(table, args.qkv + rowBytes * first, rowBytes, queries));
  const dyTable = table + 4 * rows;
  padRows(dyTable, addRows(dyTable, args.dy + 4 * first * H * E, 4 * H * E, queries));
  const scores = dyTable + 4 * rows; // [rows, 8]
  const products = scores + tileBytes * rows; // [rows, 8]

  for (let head: u32 = 0; head < args.HK; head++) {
    const key = rowBytes * first + 4 * (H + head) * E;
    const value = key + 4 * args.HK * E;
    toLanes(args.qkv + key, rowBytes, count, E, args.SCALE, keys);
    toLanes(args.qkv + value, rowBytes, count, E, 1, values);
    memory.fill(dKeys, 0, 2 * tileBytes * E);
    for (let h = head * group; h < (head + 1) * group; h++) {
      multiply(keys, E, table, rows, 4 * h * E, scores);
      multiply(values, E, dyTable, rows, 4 * h * E, products);
      const nth0 = ascending(0, count - 1);
      const nth1 = ascending(4, count - 1);
      for (let i: u32 = 0; i < queries; i++) {
        const at = scores + tileBytes * i;
        const d = products + tileBytes * i;
        const n = 4 * ((first + i) * H + h);
        const lse = v128.load_splat<f32>(args.lse + n);
        const delta = v128.load_splat<f32>(args.delta + n);
        const nth = i32x4.splat(i);
        const p0 = v128.and(exp2x4(f32x4.sub(v128.load(at), lse)), i32x4.le_s(nth0, nth));
        const p1 = v128.and(exp2x4(f32x4.sub(v128.load(at, 16), lse)), i32x4.le_s(nth1, nth));
        v128.store(at, p0);
        v128.store(at, p1, 16);
        v128.store(d, f32x4.mul(p0, f32x4.sub(v128.load(d), delta)));
        v128.store(d, f32x4.mul(p1, f32x4.sub(v128.load(d, 16), delta)), 16);
      }
      weigh(scores, E, dyTable, queries, 4 * h * E, dValues);
      weigh(products, E, table, queries, 4 * h * E, dKeys);
    }
    fromLanes(dKeys, E, args.SCALE * ln2, args.dqkv + key, rowBytes, count, true);
    fromLanes(dValues, E, 1, args.dqkv + value, rowBytes, count, true);
  }
}

/** The inner product of two rows, in ascending order. */
function dot(a: usize, b: usize, W: u32): f32 {
  let sum: f32 = 0;
  for (const end = a + 4 * W; a < end; a += 4, b += 4) sum += load<f32>(a) * load<f32>(b);
  return sum;
}
