/** Gradient of causal attention on the CPU; the formulas stand in attention-backward.wgsl. */
import {
  addRows,
  addSeenRows,
  ascending,
  firstTile,
  fromLanes,
  hide,
  hideLater,
  multiply,
  padRows,
  seenByOne,
  tileBytes,
  tileEnd,
  toLanes,
  weigh,
} from './lib/attention';
import { widthOf } from './lib/element';
import { exp2x4 } from './lib/math';
import { firstItem, scratch } from './lib/parts';

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

export function queries(args: Queries, tokens: u32, part: u32, parts: u32): void {
  const last = firstTile(args.ranges, firstItem(tokens, part + 1, parts), tokens);
  for (let first = firstTile(args.ranges, firstItem(tokens, part, parts), tokens); first < last;) {
    const end = tileEnd(args.ranges, first, tokens);
    queriesTile(args, first, end);
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
    hideLater(scores, keys, seen, seen + count - 1);
    gradients(scores, products, keys, lses, deltas);
    gradients(scores + 16, products + 16, keys, lses + 16, deltas + 16);
    memory.fill(sums, 0, tileBytes * E);
    weigh(scores, E, table, keys, key, sums);
    fromLanes(sums, E, args.SCALE * ln2, args.dqkv + row + 4 * head * E, rowBytes, count, true);
  }
}

/** Scores of four lanes become their gradients. `products`: of dy and values. */
function gradients(scores: usize, products: usize, rows: u32, lses: usize, deltas: usize): void {
  const lse = v128.load(lses);
  const delta = v128.load(deltas);
  const end = scores + tileBytes * rows;
  do {
    const p = exp2x4(f32x4.sub(v128.load(scores), lse));
    v128.store(scores, f32x4.mul(p, f32x4.sub(v128.load(products), delta)));
    scores += tileBytes;
    products += tileBytes;
  } while (scores < end);
}

export function keys(args: Keys, tokens: u32, part: u32, parts: u32): void {
  const last = firstTile(args.ranges, firstItem(tokens, part + 1, parts), tokens);
  for (let first = firstTile(args.ranges, firstItem(tokens, part, parts), tokens); first < last;) {
    const end = tileEnd(args.ranges, first, tokens);
    keysTile(args, first, end);
    first = end;
  }
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
      hideEarlier(scores, count);
      const at = 4 * (first * H + h);
      powersAndGradients(scores, products, queries, args.lse + at, args.delta + at, 4 * H);
      powersAndGradients(scores + 16, products + 16, queries, args.lse + at, args.delta + at, 4 * H);
      weigh(scores, E, dyTable, queries, 4 * h * E, dValues);
      weigh(products, E, table, queries, 4 * h * E, dKeys);
    }
    fromLanes(dKeys, E, args.SCALE * ln2, args.dqkv + key, rowBytes, count, true);
    fromLanes(dValues, E, 1, args.dqkv + value, rowBytes, count, true);
  }
}

/** The first `count` queries see no key that comes after them. */
function hideEarlier(scores: usize, count: u32): void {
  for (let i: u32 = 0; i < count; i++) {
    const at = scores + tileBytes * i;
    hide(at, i32x4.gt_s(ascending(0, count - 1), i32x4.splat(i)));
    hide(at + 16, i32x4.gt_s(ascending(4, count - 1), i32x4.splat(i)));
  }
}

/** Scores of four lanes become powers, products of dy and values the scores' gradients. */
function powersAndGradients(scores: usize, products: usize, rows: u32, lse: usize, delta: usize, step: usize): void {
  const end = scores + tileBytes * rows;
  do {
    const p = exp2x4(f32x4.sub(v128.load(scores), v128.load_splat<f32>(lse)));
    v128.store(scores, p);
    v128.store(products, f32x4.mul(p, f32x4.sub(v128.load(products), v128.load_splat<f32>(delta))));
    scores += tileBytes;
    products += tileBytes;
    lse += step;
    delta += step;
  } while (scores < end);
}

/** The inner product of two rows, in ascending order. */
function dot(a: usize, b: usize, W: u32): f32 {
  let sum: f32 = 0;
  for (const end = a + 4 * W; a < end; a += 4, b += 4) sum += load<f32>(a) * load<f32>(b);
  return sum;
}
