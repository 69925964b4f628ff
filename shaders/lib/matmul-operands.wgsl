// 4x4 blocks of the operands of an aligned matmul: M, N and K are multiples of 4, so a row of any stored matrix is
// whole vec4f. A block past an edge reads numbers that are never stored.
#include "lib/matmul"

// Rows m … m+3 of op(A) at k … k+3: column p of the result holds the four rows at k + p.
fn loadA(m: u32, k: u32) -> mat4x4f {
  if (TRANSPOSE_A) {
    let at = (k * sizes.M + m) / 4u;
    let step = sizes.M / 4u;
    return mat4x4f(a[at], a[at + step], a[at + 2u * step], a[at + 3u * step]);
  }
  let at = (m * sizes.K + k) / 4u;
  let step = sizes.K / 4u;
  return transpose(mat4x4f(a[at], a[at + step], a[at + 2u * step], a[at + 3u * step]));
}

// Columns n … n+3 of op(B) at k … k+3: column p of the result holds the four columns at k + p.
fn loadB(k: u32, n: u32) -> mat4x4f {
  if (TRANSPOSE_B) {
    let at = (n * sizes.K + k) / 4u;
    let step = sizes.K / 4u;
    return transpose(mat4x4f(elementB(at), elementB(at + step), elementB(at + 2u * step), elementB(at + 3u * step)));
  }
  let at = (k * sizes.N + n) / 4u;
  let step = sizes.N / 4u;
  return mat4x4f(elementB(at), elementB(at + step), elementB(at + 2u * step), elementB(at + 3u * step));
}
