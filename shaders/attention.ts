/**
 * Causal attention over packed segments on the CPU; the formulas stand in attention.wgsl. The softmax is not online: a
 * tile keeps all its scores. attention-cached.ts gives the same bits for the same queries, keys and values.
 */
import {
  addSeenRows,
  firstTile,
  fromLanes,
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
import { exp2x4, log2x4 } from './lib/math';
import { firstItem, scratch } from './lib/parts';

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

export function forward(args: Forward, tokens: u32, part: u32, parts: u32): void {
  const last = firstTile(args.ranges, firstItem(tokens, part + 1, parts), tokens);
  for (let first = firstTile(args.ranges, firstItem(tokens, part, parts), tokens); first < last;) {
    const end = tileEnd(args.ranges, first, tokens);
    forwardTile(args, first, end);
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
    memory.fill(sums, 0, tileBytes * E);
    weigh(scores, E, table, rows, key + 4 * args.HK * E, sums);
    divide(sums, E, totals);
    fromLanes(sums, E, 1, args.y + 4 * out * E, 4 * H * E, count, false);
    for (let i: u32 = 0; i < count; i++) {
      store<f32>(args.lse + 4 * (out + i * H), load<f32>(totals + tileBytes + 4 * i));
    }
  }
}

/** Scores become powers 2^(score - top); leaves their sums, then these' logarithms with the tops. */
function softmax(scores: usize, rows: u32, totals: usize): void {
  const end = scores + tileBytes * rows;
  let top0 = f32x4.splat(-Infinity);
  let top1 = top0;
  let other0 = top0;
  let other1 = top0;
  for (let at = scores; at < end; at += 2 * tileBytes) {
    top0 = f32x4.pmax(top0, v128.load(at));
    top1 = f32x4.pmax(top1, v128.load(at, 16));
    other0 = f32x4.pmax(other0, v128.load(at, 32));
    other1 = f32x4.pmax(other1, v128.load(at, 48));
  }
  softmax4(scores, end, f32x4.pmax(top0, other0), totals);
  softmax4(scores + 16, end, f32x4.pmax(top1, other1), totals + 16);
}

function softmax4(scores: usize, end: usize, top: v128, totals: usize): void {
  let to = scores;
  do {
    v128.store(to, exp2x4(f32x4.sub(v128.load(to), top)));
    to += tileBytes;
  } while (to < end);
  // As in attention-cached.ts: four sums of every fourth power.
  let sum0 = f32x4.splat(0);
  let sum1 = f32x4.splat(0);
  let sum2 = f32x4.splat(0);
  let sum3 = f32x4.splat(0);
  for (let at = scores; at < end; at += 4 * tileBytes) {
    sum0 = f32x4.add(sum0, v128.load(at));
    sum1 = f32x4.add(sum1, v128.load(at, tileBytes));
    sum2 = f32x4.add(sum2, v128.load(at, 2 * tileBytes));
    sum3 = f32x4.add(sum3, v128.load(at, 3 * tileBytes));
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
