// C [M, N] (+)= op(A) [M, K] · op(B) [K, N] (+ bias [N]) (+ residual [M, N]) for any sizes and layouts, by strides.
// One thread computes ROWS x COLS outputs in registers, straight from memory: rows m, m+1 …, and columns WX apart so
// that neighbouring threads read neighbouring numbers of a row of B.
// Each output adds its products with k ascending by fma, as in the other matmul kernels, so all give the same bits.
#include "lib/matmul"

@compute @workgroup_size(WX, WY)
fn forward(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) id: vec3u) {
  let n = group.x * (WX * COLS) + id.x;
  let m = (group.y * WY + id.y) * ROWS;
  if (m >= sizes.M || n >= sizes.N) {
    return;
  }
#unroll i ROWS
#unroll j COLS
  var c$i_$j = 0.0; // c[m + i, n + j WX]
#end
#end
  let begin = group.z * sizes.CHUNK;
  let end = endOf(group.z);
  var atA = m * sizes.A_M + begin * sizes.A_K;
  var atB = n * sizes.B_N + begin * sizes.B_K;
#unroll i ROWS
  let row$i = $i * sizes.A_M;
#end
#unroll j COLS
  let column$j = $j * WX * sizes.B_N;
#end
  for (var k = begin; k < end; k++) {
#unroll i ROWS
    let a$i = a[atA + row$i];
#end
#unroll j COLS
    let b$j = elementB(atB + column$j);
#end
#unroll i ROWS
#unroll j COLS
    c$i_$j = fma(a$i, b$j, c$i_$j);
#end
#end
    atA += sizes.A_K;
    atB += sizes.B_K;
  }
  // A loop, because unrolled stores take CPU adapters ten times as long to compile as all of the above.
  var sums: array<f32, ROWS * COLS>;
#unroll i ROWS
#unroll j COLS
  sums[$i * COLS + $j] = c$i_$j;
#end
#end
  for (var i = 0u; i < min(ROWS, sizes.M - m); i++) {
    for (var j = 0u; j < COLS; j++) {
      store(m + i, n + j * WX, group.z, sums[i * COLS + j]);
    }
  }
}
