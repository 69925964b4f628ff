/**
 * What the attention kernels share. A tile is up to eight tokens of one segment and one head: they stand in the lanes
 * of two vectors, and meet the rows of other tokens through a table of addresses. Every output is one chain of
 * multiplications and additions, so it depends neither on the tile nor on where a row is stored.
 */
import { highHalves, highPairs, lowHalves, lowPairs } from './transpose';

export const tileTokens: u32 = 8;
/** Bytes of eight lanes. */
export const tileBytes: u32 = 32;

/** One past the last token of the tile that begins at `first`: of at most eight, all of its segment. */
export function tileEnd(ranges: usize, first: u32, tokens: u32): u32 {
  const segment = load<u32>(ranges + 16 * first, 8);
  let end = first + 1;
  while (end < tokens && end < first + tileTokens && load<u32>(ranges + 16 * end, 8) == segment) end++;
  return end;
}

/** The first token, from `token` on, at which a tile begins: every eighth of a segment. */
export function firstTile(ranges: usize, token: u32, tokens: u32): u32 {
  while (token < tokens && (token - load<u32>(ranges + 16 * token, 8)) % tileTokens != 0) token++;
  return token;
}

/** Keys that token i sees; `range` is the address of its own. */
@inline
export function seenByOne(range: usize, i: u32): u32 {
  return load<u32>(range, 4) - load<u32>(range) + i + 1 - load<u32>(range, 8);
}

/** Lists what the token `last` sees: rows of the prefix, then of its segment. Returns the table's end. */
export function addSeenRows(table: usize, range: usize, last: u32, rows: usize, rowBytes: usize): usize {
  const prefix = load<u32>(range);
  const segment = load<u32>(range, 8);
  const middle = addRows(table, rows + rowBytes * prefix, rowBytes, load<u32>(range, 4) - prefix);
  return addRows(middle, rows + rowBytes * segment, rowBytes, last + 1 - segment);
}

/** Four numbers that ascend from `first` and stop at `last`. */
@inline
export function ascending(first: u32, last: u32): v128 {
  return i32x4.min_s(i32x4.add(i32x4.splat(first), i32x4(0, 1, 2, 3)), i32x4.splat(last));
}

/** Appends the addresses of `count` rows to a table. Returns its end. */
export function addRows(table: usize, row: usize, rowBytes: usize, count: u32): usize {
  const end = table + 4 * count;
  for (; table < end; table += 4, row += rowBytes) store<usize>(table, row);
  return end;
}

/** Repeats the last row of a table until four divides their number. Returns that number. */
export function padRows(table: usize, end: usize): u32 {
  const last = load<usize>(end - 4);
  for (; (end - table) & 15; end += 4) store<usize>(end, last);
  return <u32>(end - table) / 4;
}

/** lanes[c][i] = factor · row i[c], [W, 8]; the last of `count` rows stands in all further lanes. */
export function toLanes(row: usize, rowBytes: usize, count: u32, W: u32, factor: f32, lanes: usize): void {
  const by = f32x4.splat(factor);
  for (let i: u32 = 0; i < tileTokens; i += 4) {
    const a = row + rowBytes * min(i, count - 1);
    const b = row + rowBytes * min(i + 1, count - 1);
    const c = row + rowBytes * min(i + 2, count - 1);
    const d = row + rowBytes * min(i + 3, count - 1);
    let to = lanes + 4 * i;
    let at: u32 = 0;
    for (; at + 16 <= 4 * W; at += 16, to += 4 * tileBytes) {
      const va = f32x4.mul(v128.load(a + at), by);
      const vb = f32x4.mul(v128.load(b + at), by);
      const vc = f32x4.mul(v128.load(c + at), by);
      const vd = f32x4.mul(v128.load(d + at), by);
      v128.store(to, lowHalves(lowPairs(va, vb), lowPairs(vc, vd)));
      v128.store(to, highHalves(lowPairs(va, vb), lowPairs(vc, vd)), tileBytes);
      v128.store(to, lowHalves(highPairs(va, vb), highPairs(vc, vd)), 2 * tileBytes);
      v128.store(to, highHalves(highPairs(va, vb), highPairs(vc, vd)), 3 * tileBytes);
    }
    for (; at < 4 * W; at += 4, to += tileBytes) {
      store<f32>(to, load<f32>(a + at) * factor);
      store<f32>(to, load<f32>(b + at) * factor, 4);
      store<f32>(to, load<f32>(c + at) * factor, 8);
      store<f32>(to, load<f32>(d + at) * factor, 12);
    }
  }
}

/**
 * row i[c] = factor · lanes[c][i], added to what is there if `add`, for the first `count` lanes of [W, 8]. Lanes behind
 * them are equal to the last: it is loaded before, and stored again after.
 */
@inline
export function fromLanes(
  lanes: usize,
  W: u32,
  factor: f32,
  row: usize,
  rowBytes: usize,
  count: u32,
  add: boolean,
): void {
  const by = f32x4.splat(factor);
  for (let i: u32 = 0; i < count; i += 4) {
    const a = row + rowBytes * i;
    const b = row + rowBytes * min(i + 1, count - 1);
    const c = row + rowBytes * min(i + 2, count - 1);
    const d = row + rowBytes * min(i + 3, count - 1);
    let from = lanes + 4 * i;
    let at: u32 = 0;
    for (; at + 16 <= 4 * W; at += 16, from += 4 * tileBytes) {
      const v0 = f32x4.mul(v128.load(from), by);
      const v1 = f32x4.mul(v128.load(from, tileBytes), by);
      const v2 = f32x4.mul(v128.load(from, 2 * tileBytes), by);
      const v3 = f32x4.mul(v128.load(from, 3 * tileBytes), by);
      let va = lowHalves(lowPairs(v0, v1), lowPairs(v2, v3));
      let vb = highHalves(lowPairs(v0, v1), lowPairs(v2, v3));
      let vc = lowHalves(highPairs(v0, v1), highPairs(v2, v3));
      let vd = highHalves(highPairs(v0, v1), highPairs(v2, v3));
      if (add) {
        va = f32x4.add(v128.load(a + at), va);
        vb = f32x4.add(v128.load(b + at), vb);
        vc = f32x4.add(v128.load(c + at), vc);
        vd = f32x4.add(v128.load(d + at), vd);
      }
      v128.store(a + at, va);
      v128.store(b + at, vb);
      v128.store(c + at, vc);
      v128.store(d + at, vd);
    }
    for (; at < 4 * W; at += 4, from += tileBytes) {
      for (let lane: u32 = 0; lane < 4 && i + lane < count; lane++) {
        const to = a + rowBytes * lane + at;
        const value = load<f32>(from + 4 * lane) * factor;
        store<f32>(to, add ? load<f32>(to) + value : value);
      }
    }
  }
}

/** Scores [rows, 8] that lanes do not see become -infinity. The first lane sees `seen` rows, the last `last`. */
export function hideLater(scores: usize, rows: u32, seen: u32, last: u32): void {
  const seen0 = ascending(seen, last);
  const seen1 = ascending(seen + 4, last);
  for (let j = seen; j < rows; j++) {
    const at = scores + tileBytes * j;
    hide(at, i32x4.le_s(seen0, i32x4.splat(j)));
    hide(at + 16, i32x4.le_s(seen1, i32x4.splat(j)));
  }
}

@inline
export function hide(scores: usize, hidden: v128): void {
  v128.store(scores, v128.bitselect(f32x4.splat(-Infinity), v128.load(scores), hidden));
}

/** products[j][i] = sum_c lanes[c][i] row j[c], [rows, 8], for four rows at a time. `offset`: of c = 0 in a row. */
export function multiply(lanes: usize, W: u32, table: usize, rows: u32, offset: usize, products: usize): void {
  const tableEnd = table + 4 * rows;
  const lanesEnd = lanes + tileBytes * W;
  for (; table < tableEnd; table += 16, products += 4 * tileBytes) {
    let a = load<usize>(table) + offset;
    let b = load<usize>(table, 4) + offset;
    let c = load<usize>(table, 8) + offset;
    let d = load<usize>(table, 12) + offset;
    let a0 = f32x4.splat(0);
    let a1 = f32x4.splat(0);
    let b0 = f32x4.splat(0);
    let b1 = f32x4.splat(0);
    let c0 = f32x4.splat(0);
    let c1 = f32x4.splat(0);
    let d0 = f32x4.splat(0);
    let d1 = f32x4.splat(0);
    for (let at = lanes; at < lanesEnd; at += tileBytes, a += 4, b += 4, c += 4, d += 4) {
      const x0 = v128.load(at);
      const x1 = v128.load(at, 16);
      const ya = v128.load_splat<f32>(a);
      a0 = f32x4.add(a0, f32x4.mul(x0, ya));
      a1 = f32x4.add(a1, f32x4.mul(x1, ya));
      const yb = v128.load_splat<f32>(b);
      b0 = f32x4.add(b0, f32x4.mul(x0, yb));
      b1 = f32x4.add(b1, f32x4.mul(x1, yb));
      const yc = v128.load_splat<f32>(c);
      c0 = f32x4.add(c0, f32x4.mul(x0, yc));
      c1 = f32x4.add(c1, f32x4.mul(x1, yc));
      const yd = v128.load_splat<f32>(d);
      d0 = f32x4.add(d0, f32x4.mul(x0, yd));
      d1 = f32x4.add(d1, f32x4.mul(x1, yd));
    }
    v128.store(products, a0);
    v128.store(products, a1, 16);
    v128.store(products, b0, 32);
    v128.store(products, b1, 48);
    v128.store(products, c0, 64);
    v128.store(products, c1, 80);
    v128.store(products, d0, 96);
    v128.store(products, d1, 112);
  }
}

/** sums[c][i] += sum_j weights[j][i] row j[c], [W, 8], rows in ascending order. `offset`: of c = 0 in a row. */
export function weigh(weights: usize, W: u32, table: usize, rows: u32, offset: usize, sums: usize): void {
  const tableEnd = table + 4 * rows;
  const end = offset + 4 * W;
  for (; offset + 16 <= end; offset += 16, sums += 4 * tileBytes) {
    let a0 = v128.load(sums);
    let a1 = v128.load(sums, 16);
    let b0 = v128.load(sums, 32);
    let b1 = v128.load(sums, 48);
    let c0 = v128.load(sums, 64);
    let c1 = v128.load(sums, 80);
    let d0 = v128.load(sums, 96);
    let d1 = v128.load(sums, 112);
    let at = weights;
    for (let entry = table; entry < tableEnd; entry += 4, at += tileBytes) {
      const row = load<usize>(entry) + offset;
      const x0 = v128.load(at);
      const x1 = v128.load(at, 16);
      const ya = v128.load_splat<f32>(row);
      a0 = f32x4.add(a0, f32x4.mul(x0, ya));
      a1 = f32x4.add(a1, f32x4.mul(x1, ya));
      const yb = v128.load_splat<f32>(row, 4);
      b0 = f32x4.add(b0, f32x4.mul(x0, yb));
      b1 = f32x4.add(b1, f32x4.mul(x1, yb));
      const yc = v128.load_splat<f32>(row, 8);
      c0 = f32x4.add(c0, f32x4.mul(x0, yc));
      c1 = f32x4.add(c1, f32x4.mul(x1, yc));
      const yd = v128.load_splat<f32>(row, 12);
      d0 = f32x4.add(d0, f32x4.mul(x0, yd));
      d1 = f32x4.add(d1, f32x4.mul(x1, yd));
    }
    v128.store(sums, a0);
    v128.store(sums, a1, 16);
    v128.store(sums, b0, 32);
    v128.store(sums, b1, 48);
    v128.store(sums, c0, 64);
    v128.store(sums, c1, 80);
    v128.store(sums, d0, 96);
    v128.store(sums, d1, 112);
  }
  for (; offset < end; offset += 4, sums += tileBytes) {
    let a0 = v128.load(sums);
    let a1 = v128.load(sums, 16);
    let at = weights;
    for (let entry = table; entry < tableEnd; entry += 4, at += tileBytes) {
      const y = v128.load_splat<f32>(load<usize>(entry) + offset);
      a0 = f32x4.add(a0, f32x4.mul(v128.load(at), y));
      a1 = f32x4.add(a1, f32x4.mul(v128.load(at, 16), y));
    }
    v128.store(sums, a0);
    v128.store(sums, a1, 16);
  }
}
