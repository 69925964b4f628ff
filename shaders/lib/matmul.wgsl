// What the matmul kernels share: tensors, and the end of a sum. An Element is LANES numbers of a row.
#include "lib/element"

struct Sizes {
  M: u32,
  N: u32,
  K: u32,
  CHUNK: u32, // k per split: split z sums k in [z CHUNK, (z+1) CHUNK) and writes the z-th [M, N] of c
  A_M: u32, // distance of op(A)[m, k] and op(A)[m+1, k]; likewise the others
  A_K: u32,
  B_K: u32,
  B_N: u32,
}
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> a: array<Element>; // op(A) [M, K], stored as [K, M] if TRANSPOSE_A
// op(B) [K, N], stored as [N, K] if TRANSPOSE_B. Halves stand two to a word; a row of them fills whole words.
#if FULL_B
@group(0) @binding(2) var<storage, read> b: array<Element>;

fn elementB(at: u32) -> Element {
  return b[at];
}
#end
#if HALF_B
#if VEC4
@group(0) @binding(2) var<storage, read> b: array<vec2u>;

fn elementB(at: u32) -> Element {
  let words = b[at];
  return vec4f(unpack2x16float(words.x), unpack2x16float(words.y));
}
#end
#if SCALAR
@group(0) @binding(2) var<storage, read> b: array<u32>;

fn elementB(at: u32) -> Element {
  return unpack2x16float(b[at / 2u])[at % 2u];
}
#end
#end
#if HAS_BIAS
@group(0) @binding(3) var<storage, read> bias: array<Element>; // [N]
#end
#if HAS_RESIDUAL
@group(0) @binding(4) var<storage, read> residual: array<Element>; // [M, N]
#end
@group(0) @binding(5) var<storage, read_write> c: array<Element>; // [splits, M, N]
#if BOUNDED
@group(0) @binding(6) var<uniform> rows: u32; // k that are summed; op(A) or op(B) is 0 at the others
#end

// One past the last k of a split.
fn endOf(split: u32) -> u32 {
  var depth = sizes.K;
#if BOUNDED
  depth = min(depth, rows);
#end
  return min(depth, (split + 1u) * sizes.CHUNK);
}

// c[m, n …] = sum + bias + residual, added to what is there if ACCUMULATE.
fn store(m: u32, n: u32, split: u32, sum: Element) {
  if (m >= sizes.M || n >= sizes.N) {
    return;
  }
  let at = (m * sizes.N + n) / LANES;
  var value = sum;
#if HAS_BIAS
  value += bias[n / LANES];
#end
#if HAS_RESIDUAL
  value += residual[at];
#end
#if ACCUMULATE
  value += c[at];
#end
  c[split * (sizes.M * sizes.N / LANES) + at] = value;
}
