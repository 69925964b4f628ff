/**
 * Causal attention over packed segments on the CPU; the formulas stand in attention.wgsl. The softmax is not online: a
 * tile keeps all its scores. attention-cached.ts gives the same bits for the same queries, keys and values.
 */
import {
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
import { exp2x4, log2x4 } from './lib/math';
import { scratch } from './lib/threads';

@unmanaged
class Forward {
  qkv: usize;
  ranges: usize;
  y: usize;
  lse: usize;
  H: u32;
  HK: u32;
  EV: u32;
  VEC4: u32;
  SCALE: f32;
}

/** A thread takes consecutive tiles; all threads have about the same number of keys. */
export function forward(args: Forward, tokens: u32, thread: u32, threads: u32): void {
  const keys = seenBy(args.ranges, 0, tokens);
  const from = (keys * thread) / threads;
  const to = (keys * (thread + 1)) / threads;
  let before: u64 = 0;
  for (let first: u32 = 0; first < tokens && before < to;) {
    const end = tileEnd(args.ranges, first, tokens);
    if (before >= from) forwardTile(args, first, end);
    before += seenBy(args.ranges, first, end);
    first = end;
  }
}

function forwardTile(args: Forward, first: u32, end: u32): void {
  const E = widthOf(args.EV, args.VEC4);
  const H = args.H;
  const count = end - first;
  const rowBytes = 4 * (H + 2 * args.HK) * E;
  const row = args.qkv + rowBytes * first;
  const range = args.ranges + 16 * first;
  const seen = seenByOne(range, first);

  const queries = scratch; // [E, 8]
  const sums = queries + tileBytes * E; // [E, 8]
  const totals = sums + tileBytes * E; // [2, 8]
  const table = totals + 2 * tileBytes;
  const rows = padRows(table, addSeenRows(table, range, end - 1, args.qkv, rowBytes));
  const scores = table + 4 * rows; // [rows, 8]

  for (let head: u32 = 0; head < H; head++) {
    const key = 4 * (H + head / (H / args.HK)) * E;
    const out = first * H + head;
    toLanes(row + 4 * head * E, rowBytes, count, E, args.SCALE, queries);
    multiply(queries, E, table, rows, key, scores);
    hideLater(scores, rows, seen, seen + count - 1);
    softmax(scores, rows, totals);
    softmax(scores + 16, rows, totals + 16);
    memory.fill(sums, 0, tileBytes * E);
    weigh(scores, E, table, rows, key + 4 * args.HK * E, sums);
    divide(sums, E, totals);
    fromLanes(sums, E, 1, args.y + 4 * out * E, 4 * H * E, count, false);
    for (let i: u32 = 0; i < count; i++) {
      store<f32>(args.lse + 4 * (out + i * H), load<f32>(totals + tileBytes + 4 * i));
    }
  }
}

/** Scores of keys that lanes do not see become -infinity. The first lane sees `seen` keys, and the last one `last`. */
function hideLater(scores: usize, rows: u32, seen: u32, last: u32): void {
  const seen0 = ascending(seen, last);
  const seen1 = ascending(seen + 4, last);
  const hidden = f32x4.splat(-Infinity);
  for (let j = seen; j < rows; j++) {
    const at = scores + tileBytes * j;
    const key = i32x4.splat(j);
    v128.store(at, v128.bitselect(v128.load(at), hidden, i32x4.gt_s(seen0, key)));
    v128.store(at, v128.bitselect(v128.load(at, 16), hidden, i32x4.gt_s(seen1, key)), 16);
  }
}

/** Scores of four lanes become powers 2^(score - top); leaves their sum, then its logarithm with the top. */
function softmax(scores: usize, rows: u32, totals: usize): void {
  const end = scores + tileBytes * rows;
  let top = f32x4.splat(-Infinity);
  for (let at = scores; at < end; at += tileBytes) top = f32x4.pmax(top, v128.load(at));
  // As in attention-cached.ts: four sums of every fourth power.
  let sum0 = f32x4.splat(0);
  let sum1 = f32x4.splat(0);
  let sum2 = f32x4.splat(0);
  let sum3 = f32x4.splat(0);
  for (let at = scores; at < end; at += 4 * tileBytes) {
    const p0 = exp2x4(f32x4.sub(v128.load(at), top));
    v128.store(at, p0);
    sum0 = f32x4.add(sum0, p0);
    const p1 = exp2x4(f32x4.sub(v128.load(at, tileBytes), top));
    v128.store(at, p1, tileBytes);
    sum1 = f32x4.add(sum1, p1);
    const p2 = exp2x4(f32x4.sub(v128.load(at, 2 * tileBytes), top));
    v128.store(at, p2, 2 * tileBytes);
    sum2 = f32x4.add(sum2, p2);
    const p3 = exp2x4(f32x4.sub(v128.load(at, 3 * tileBytes), top));
    v128.store(at, p3, 3 * tileBytes);
    sum3 = f32x4.add(sum3, p3);
  }
  const sum = f32x4.add(f32x4.add(sum0, sum2), f32x4.add(sum1, sum3));
  v128.store(totals, sum);
  v128.store(totals, f32x4.add(top, log2x4(sum)), tileBytes);
}

function divide(sums: usize, E: u32, totals: usize): void {
  const total0 = v128.load(totals);
  const total1 = v128.load(totals, 16);
  for (const end = sums + tileBytes * E; sums < end; sums += tileBytes) {
    v128.store(sums, f32x4.div(v128.load(sums), total0));
    v128.store(sums, f32x4.div(v128.load(sums, 16), total1), 16);
  }
}
