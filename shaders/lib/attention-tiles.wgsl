// Tiles of attention for wide heads; names are those of attention.wgsl.
// A workgroup of 64 takes ROWS queries of one head, or ROWS keys of one key/value head. Those stay in workgroup memory,
// and the others pass through it COLS at a time: each is loaded once for ROWS rows, not once for each.
// PARTS threads share a row: each computes one score in PARTS, and sums SLICE of the EV Elements.
#include "lib/element"

const ROW = (H + 2 * HK) * EV;
const GROUP = H / HK;
const PARTS = 64u / ROWS;
// One more than a row keeps threads that read a column off each other's banks.
const STRIDE = EV + 1u;
const LN2 = 0.6931471805599453;
// 2^HIDDEN is nothing.
const HIDDEN = -2e30;

@group(0) @binding(0) var<storage, read> qkv: array<Element>;
@group(0) @binding(1) var<storage, read> ranges: array<vec4u>;

var<workgroup> own: array<Element, ROWS * STRIDE>;
var<workgroup> tile: array<Element, COLS * STRIDE>;
// Of the backward pass: gradients of the outputs of its queries, or values of its keys.
var<workgroup> ownOther: array<Element, ROWS * STRIDE>;
var<workgroup> scores: array<f32, ROWS * COLS>;

// Of the rows of qkv from token `first` on, the head at Element `at`. A row behind the last token is the last.
fn holdQkv(thread: u32, first: u32, at: u32) {
  for (var c = thread; c < ROWS * EV; c += 64u) {
    own[c / EV * STRIDE + c % EV] = qkv[min(first + c / EV, N - 1) * ROW + at + c % EV] * SCALE;
  }
}

fn passQkv(thread: u32, first: u32, at: u32) {
  for (var c = thread; c < COLS * EV; c += 64u) {
    tile[c / EV * STRIDE + c % EV] = qkv[min(first + c / EV, N - 1) * ROW + at + c % EV];
  }
}

// EV and COLS, but numbers that drivers cannot unroll by: llvmpipe takes half a minute to compile a kernel unrolled.
fn width() -> u32 {
  return arrayLength(&qkv) / (N * (H + 2 * HK));
}

fn columns() -> u32 {
  return arrayLength(&ranges) / N * COLS;
}

fn product(row: u32, col: u32) -> f32 {
  var sum = 0.0;
  for (var e = 0u; e < width(); e++) {
    sum += inner(own[row * STRIDE + e], tile[col * STRIDE + e]);
  }
  return sum;
}

fn productOfOthers(row: u32, col: u32) -> f32 {
  var sum = 0.0;
  for (var e = 0u; e < width(); e++) {
    sum += inner(ownOther[row * STRIDE + e], tile[col * STRIDE + e]);
  }
  return sum;
}

// What a block of queries sees: its first key, and the keys between prefix and segment that none of them sees.
struct Seen {
  low: u32,
  gap: u32,
  resume: u32,
}

fn seenByBlock(first: u32, last: u32) -> Seen {
  var seen = Seen(last, 0u, last);
  for (var i = first; i <= last; i++) {
    let range = ranges[i];
    seen = Seen(min(seen.low, range.x), max(seen.gap, range.y), min(seen.resume, range.z));
  }
  return seen;
}

fn sees(i: u32, range: vec4u, j: u32) -> bool {
  return j <= i && (j >= range.z || (j >= range.x && j < range.y));
}
