/**
 * Matrix product on the CPU; the formula stands in lib/matmul.wgsl. Each output is one chain of multiply and add with k
 * ascending, whatever tile, block or part computes it: its bits depend on its row of A and its column of B alone.
 *
 * A tile is 4 x 8 outputs in registers. The 8 are the lanes of two vectors, from a packed panel [k][8]. The 4 are a
 * strip, [4] rows with k contiguous: in memory as it is, or packed where k is not contiguous there. Panels hold columns
 * of B; but rows of A if B may be read as it is and A is smaller to pack ("turned": tiles are then transposed). Halves
 * may not be read as they are: packing makes them float32.
 */
import { packLanes } from './lib/panels';
import { firstItem, scratch } from './lib/parts';
import { highHalves, highPairs, lowHalves, lowPairs, transpose } from './lib/transpose';

@unmanaged
class Sizes {
  M: u32;
  N: u32;
  K: u32;
  CHUNK: u32;
  A_M: u32;
  A_K: u32;
  B_K: u32;
  B_N: u32;
}

@unmanaged
class Forward {
  sizes: usize;
  a: usize;
  b: usize;
  bias: usize;
  residual: usize;
  c: usize;
  rows: usize;
  ACCUMULATE: u32;
  HALF_B: u32;
}

/** k that are packed at once; a tile's sums wait in memory for the next ones. */
const blockDepth: u32 = 512;
/** Of all strips that a panel is multiplied with: they stay in the first-level cache. */
const stripBytes: u32 = 16 << 10;
/** The sums of a tile, [4][8]. */
const tileBytes: u32 = 128;
// The scratch: panels, strips, the sums of tiles.
const panelBytes: u32 = 512 << 10;
const sumBytes: u32 = 256 << 10;
const stripsAt: u32 = panelBytes;
const sumsAt: u32 = stripsAt + stripBytes;

// The operands, in bytes: where they begin, from one lane or row to the next, and from one k to the next.
let panelAt: usize = 0;
let panelStep: usize = 0;
let panelDeep: usize = 0;
let halfPanels: bool = false;
let stripAt: usize = 0;
let stripStep: usize = 0;
let stripDeep: usize = 0;

// c [M, N] and what is added to the sums.
let c: usize = 0;
let bias: usize = 0;
let residual: usize = 0;
let accumulate: bool = false;
let rowBytes: usize = 0;
let turned: bool = false;

/** The lanes and the chunk whose panels this thread has packed for the step that it computes. */
let packedLane: u32 = 0;
let packedChunk: u32 = 0;
let isPacked: bool = false;

/**
 * A unit is some rows with some lanes in one chunk of K; a part is some units in that order, so that the parts that a
 * thread computes one after the other use the panels that it has packed.
 * @param again whether this thread has computed another part of this very step just before
 */
export function forward(args: Forward, items: u32, part: u32, parts: u32, again: bool): void {
  const sizes = changetype<Sizes>(args.sizes);
  isPacked = isPacked && again;
  halfPanels = args.HALF_B != 0;
  turned = !halfPanels && sizes.B_K == 1 && (sizes.A_K != 1 || items < sizes.N);
  const panelBytesEach: u32 = halfPanels ? 2 : 4;
  panelStep = panelBytesEach * (turned ? sizes.A_M : sizes.B_N);
  panelDeep = panelBytesEach * (turned ? sizes.A_K : sizes.B_K);
  stripStep = 4 * (turned ? sizes.B_N : sizes.A_M);
  stripDeep = 4 * (turned ? sizes.B_K : sizes.A_K);
  bias = args.bias;
  residual = args.residual;
  accumulate = args.ACCUMULATE != 0;
  rowBytes = 4 * sizes.N;

  const rows = turned ? sizes.N : items;
  const lanes = turned ? items : sizes.N;
  const depth = args.rows ? min(sizes.K, load<u32>(args.rows)) : sizes.K;
  if (rows == 0 || lanes == 0 || depth == 0) return;
  const chunkDepth = min(sizes.CHUNK, depth);
  const blockLanes = lanesOfBlock(rows, lanes, min(chunkDepth, blockDepth), parts);
  const blockRows = rowsOfBlock(chunkDepth);
  const rowBlocks = (rows + blockRows - 1) / blockRows;
  const laneBlocks = (lanes + blockLanes - 1) / blockLanes;
  const chunks = (depth + sizes.CHUNK - 1) / sizes.CHUNK;
  const end = firstItem(chunks * laneBlocks * rowBlocks, part + 1, parts);
  for (let unit = firstItem(chunks * laneBlocks * rowBlocks, part, parts); unit < end;) {
    const column = unit / rowBlocks;
    const last = min(end, (column + 1) * rowBlocks);
    const firstRow = (unit - column * rowBlocks) * blockRows;
    const lastRow = min(rows, (last - column * rowBlocks) * blockRows);
    const lane = (column % laneBlocks) * blockLanes;
    multiply(args, column / laneBlocks, firstRow, lastRow, lane, min(blockLanes, lanes - lane), depth);
    unit = last;
  }
}

/** As many as there is room for; fewer if there are more panels than strips, for as many blocks as parts. */
function lanesOfBlock(rows: u32, lanes: u32, depth: u32, parts: u32): u32 {
  const panels = (lanes + 7) / 8;
  const room = panelBytes / 32 / depth;
  const share = (rows + 3) / 4 >= panels ? panels : (panels + parts - 1) / parts;
  return 8 * min(room, share);
}

/** A strip; but where k is packed block by block, as many rows as there is room for the sums of. */
function rowsOfBlock(depth: u32): u32 {
  return depth <= blockDepth ? 4 : sumBytes / (panelBytes / blockDepth);
}

/** Some rows with a block of lanes in one chunk of K, blocks of k one after the other. */
function multiply(args: Forward, chunk: u32, firstRow: u32, lastRow: u32, lane: u32, lanes: u32, depth: u32): void {
  const sizes = changetype<Sizes>(args.sizes);
  const start = chunk * sizes.CHUNK;
  const count = min(sizes.CHUNK, depth - start);
  panelAt = (turned ? args.a : args.b) + <usize>start * panelDeep;
  stripAt = (turned ? args.b : args.a) + <usize>start * stripDeep;
  c = args.c + <usize>(chunk * sizes.M) * rowBytes;
  if (count <= blockDepth) {
    if (!isPacked || packedLane != lane || packedChunk != chunk) packPanels(lane, lanes, 0, count);
    isPacked = true;
    packedLane = lane;
    packedChunk = chunk;
    multiplyBlock(firstRow, lastRow - firstRow, lane, lanes, 0, count, true);
    return;
  }
  isPacked = false;
  const blockRows = rowsOfBlock(count);
  for (let row = firstRow; row < lastRow; row += blockRows) {
    for (let k: u32 = 0; k < count; k += blockDepth) {
      const deep = min(blockDepth, count - k);
      packPanels(lane, lanes, k, deep);
      multiplyBlock(row, min(blockRows, lastRow - row), lane, lanes, k, deep, k + deep == count);
    }
  }
}

/** Every strip of some rows with every packed panel, for some k. */
function multiplyBlock(row: u32, rows: u32, lane: u32, lanes: u32, k: u32, count: u32, last: bool): void {
  const packs = stripDeep != 4;
  const step = packs ? 4 * count : stripStep;
  const blockRows = 4 * max(1, stripBytes / 16 / count);
  const panels = (lanes + 7) / 8;
  for (let first: u32 = 0; first < rows; first += blockRows) {
    const end = min(rows, first + blockRows);
    let strips = stripAt + (row + first) * stripStep + 4 * k;
    if (packs) {
      strips = scratch + stripsAt;
      packStrips(row + first, end - first, k, count, strips);
    }
    for (let p: u32 = 0; p < panels; p++) {
      const panel = scratch + 32 * count * p;
      for (let r = first; r < end; r += 4) {
        const sums = scratch + sumsAt + tileBytes * (last && k == 0 ? 0 : (r / 4) * panels + p);
        const strip = strips + (r - first) * step;
        if (rows - r == 1) tileOfRow(strip, panel, count, sums, k != 0);
        else tile(strip, step, min(3, rows - r - 1), panel, count, sums, k != 0);
        if (last) finish(sums, row + r, min(4, rows - r), lane + 8 * p, min(8, lanes - 8 * p));
      }
    }
  }
}

function packPanels(lane: u32, lanes: u32, k: u32, count: u32): void {
  for (let l: u32 = 0; l < lanes; l += 4) {
    const panel = scratch + 32 * count * (l / 8) + 4 * (l & 7);
    const x = panelAt + (lane + l) * panelStep + k * panelDeep;
    if (halfPanels) packLanes<u16>(x, panelStep, panelDeep, lanes - l - 1, count, panel);
    else packLanes<f32>(x, panelStep, panelDeep, lanes - l - 1, count, panel);
  }
}

/** Rows that lie side by side in memory, each with its k contiguous. */
function packStrips(row: u32, rows: u32, k: u32, count: u32, strips: usize): void {
  const x = stripAt + row * stripStep + k * stripDeep;
  const wholeRows = rows & ~3;
  const wholeCount = count & ~3;
  const step = 4 * count;
  for (let i: u32 = 0; i < wholeCount; i += 4) {
    const x0 = x + i * stripDeep;
    for (let r: u32 = 0; r < wholeRows; r += 4) {
      const at = x0 + 4 * r;
      transpose(at, at + stripDeep, at + 2 * stripDeep, at + 3 * stripDeep, strips + r * step + 4 * i, step);
    }
  }
  for (let r: u32 = 0; r < rows; r++) {
    for (let i = r < wholeRows ? wholeCount : 0; i < count; i++) {
      store<f32>(strips + r * step + 4 * i, load<f32>(x + 4 * r + i * stripDeep));
    }
  }
}

@inline
function addProduct(sum: v128, x: v128, y: v128): v128 {
  return f32x4.add(sum, f32x4.mul(x, y));
}

/**
 * sums [4][8] = strip [4][k] · panel [k][8], or added to the sums that are there. A strip of fewer rows ends at the row
 * `last`, which is then repeated. The loop may end after each k: without that, V8 moves the loads of all four k to the
 * front, and has too few registers for them.
 */
function tile(x0: usize, step: usize, last: u32, panel: usize, count: u32, sums: usize, goOn: bool): void {
  let x1 = x0 + min(1, last) * step;
  let x2 = x0 + min(2, last) * step;
  let x3 = x0 + last * step;
  let s00 = goOn ? v128.load(sums) : f32x4.splat(0);
  let s01 = goOn ? v128.load(sums, 16) : f32x4.splat(0);
  let s10 = goOn ? v128.load(sums, 32) : f32x4.splat(0);
  let s11 = goOn ? v128.load(sums, 48) : f32x4.splat(0);
  let s20 = goOn ? v128.load(sums, 64) : f32x4.splat(0);
  let s21 = goOn ? v128.load(sums, 80) : f32x4.splat(0);
  let s30 = goOn ? v128.load(sums, 96) : f32x4.splat(0);
  let s31 = goOn ? v128.load(sums, 112) : f32x4.splat(0);
  const last0 = panel + 32 * (count - 1);
  const last1 = last0 - 32;
  const last2 = last1 - 32;
  const last3 = last2 - 32;
  while (true) {
    let y0 = v128.load(panel);
    let y1 = v128.load(panel, 16);
    let x = v128.load_splat<f32>(x0);
    s00 = addProduct(s00, x, y0);
    s01 = addProduct(s01, x, y1);
    x = v128.load_splat<f32>(x1);
    s10 = addProduct(s10, x, y0);
    s11 = addProduct(s11, x, y1);
    x = v128.load_splat<f32>(x2);
    s20 = addProduct(s20, x, y0);
    s21 = addProduct(s21, x, y1);
    x = v128.load_splat<f32>(x3);
    s30 = addProduct(s30, x, y0);
    s31 = addProduct(s31, x, y1);
    if (panel == last0) break;
    y0 = v128.load(panel, 32);
    y1 = v128.load(panel, 48);
    x = v128.load_splat<f32>(x0, 4);
    s00 = addProduct(s00, x, y0);
    s01 = addProduct(s01, x, y1);
    x = v128.load_splat<f32>(x1, 4);
    s10 = addProduct(s10, x, y0);
    s11 = addProduct(s11, x, y1);
    x = v128.load_splat<f32>(x2, 4);
    s20 = addProduct(s20, x, y0);
    s21 = addProduct(s21, x, y1);
    x = v128.load_splat<f32>(x3, 4);
    s30 = addProduct(s30, x, y0);
    s31 = addProduct(s31, x, y1);
    if (panel == last1) break;
    y0 = v128.load(panel, 64);
    y1 = v128.load(panel, 80);
    x = v128.load_splat<f32>(x0, 8);
    s00 = addProduct(s00, x, y0);
    s01 = addProduct(s01, x, y1);
    x = v128.load_splat<f32>(x1, 8);
    s10 = addProduct(s10, x, y0);
    s11 = addProduct(s11, x, y1);
    x = v128.load_splat<f32>(x2, 8);
    s20 = addProduct(s20, x, y0);
    s21 = addProduct(s21, x, y1);
    x = v128.load_splat<f32>(x3, 8);
    s30 = addProduct(s30, x, y0);
    s31 = addProduct(s31, x, y1);
    if (panel == last2) break;
    y0 = v128.load(panel, 96);
    y1 = v128.load(panel, 112);
    x = v128.load_splat<f32>(x0, 12);
    s00 = addProduct(s00, x, y0);
    s01 = addProduct(s01, x, y1);
    x = v128.load_splat<f32>(x1, 12);
    s10 = addProduct(s10, x, y0);
    s11 = addProduct(s11, x, y1);
    x = v128.load_splat<f32>(x2, 12);
    s20 = addProduct(s20, x, y0);
    s21 = addProduct(s21, x, y1);
    x = v128.load_splat<f32>(x3, 12);
    s30 = addProduct(s30, x, y0);
    s31 = addProduct(s31, x, y1);
    if (panel == last3) break;
    panel += 128;
    x0 += 16;
    x1 += 16;
    x2 += 16;
    x3 += 16;
  }
  v128.store(sums, s00);
  v128.store(sums, s01, 16);
  v128.store(sums, s10, 32);
  v128.store(sums, s11, 48);
  v128.store(sums, s20, 64);
  v128.store(sums, s21, 80);
  v128.store(sums, s30, 96);
  v128.store(sums, s31, 112);
}

/** The first row of `sums`, for a strip that is a row: a single conversation is decoded so. */
function tileOfRow(x: usize, panel: usize, count: u32, sums: usize, goOn: bool): void {
  let s0 = goOn ? v128.load(sums) : f32x4.splat(0);
  let s1 = goOn ? v128.load(sums, 16) : f32x4.splat(0);
  const end = panel + 32 * count;
  while (panel < end) {
    const factor = v128.load_splat<f32>(x);
    s0 = addProduct(s0, factor, v128.load(panel));
    s1 = addProduct(s1, factor, v128.load(panel, 16));
    panel += 32;
    x += 4;
  }
  v128.store(sums, s0);
  v128.store(sums, s1, 16);
}

/** Ends the sums of a tile, of which there are `rows` and `lanes`. */
function finish(sums: usize, row: u32, rows: u32, lane: u32, lanes: u32): void {
  if (rows < 4 || lanes < 8) {
    for (let r: u32 = 0; r < rows; r++) {
      for (let l: u32 = 0; l < lanes; l++) {
        const sum = load<f32>(sums + 32 * r + 4 * l);
        if (turned) put(lane + l, row + r, sum);
        else put(row + r, lane + l, sum);
      }
    }
  } else if (turned) {
    finishTurned(sums, row, lane);
    finishTurned(sums + 16, row, lane + 4);
  } else {
    for (let r: u32 = 0; r < 4; r++) {
      put4(row + r, lane, v128.load(sums + 32 * r));
      put4(row + r, lane + 4, v128.load(sums + 32 * r, 16));
    }
  }
}

/** Four lanes of a turned tile are four rows of c. */
function finishTurned(sums: usize, n: u32, m: u32): void {
  const a = v128.load(sums);
  const b = v128.load(sums, 32);
  const c = v128.load(sums, 64);
  const d = v128.load(sums, 96);
  put4(m, n, lowHalves(lowPairs(a, b), lowPairs(c, d)));
  put4(m + 1, n, highHalves(lowPairs(a, b), lowPairs(c, d)));
  put4(m + 2, n, lowHalves(highPairs(a, b), highPairs(c, d)));
  put4(m + 3, n, highHalves(highPairs(a, b), highPairs(c, d)));
}

@inline
function put4(m: u32, n: u32, sum: v128): void {
  const at = m * rowBytes + 4 * n;
  let value = sum;
  if (bias) value = f32x4.add(value, v128.load(bias + 4 * n));
  if (residual) value = f32x4.add(value, v128.load(residual + at));
  if (accumulate) value = f32x4.add(value, v128.load(c + at));
  v128.store(c + at, value);
}

@inline
function put(m: u32, n: u32, sum: f32): void {
  const at = m * rowBytes + 4 * n;
  let value = sum;
  if (bias) value += load<f32>(bias + 4 * n);
  if (residual) value += load<f32>(residual + at);
  if (accumulate) value += load<f32>(c + at);
  store<f32>(c + at, value);
}
