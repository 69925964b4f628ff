// C [M, N] (+)= op(A) [M, K] · op(B) [K, N] (+ bias [N]) (+ residual [M, N]); M, N, K multiples of 4.
// One thread computes 4 ROWS x 4 COLS outputs in registers, straight from memory: no workgroup memory, no barrier.
// Each output adds its products with k ascending by fma, as in the other matmul kernels, so all give the same bits.
#include "lib/matmul-operands"

@compute @workgroup_size(WX, WY)
fn forward(@builtin(global_invocation_id) id: vec3u) {
  let n = id.x * (4u * COLS);
  let m = id.y * (4u * ROWS);
  if (m >= sizes.M || n >= sizes.N) {
    return;
  }
#unroll i ROWS
#unroll j COLS
#unroll r 4
  var c$i_$j_$r = vec4f(); // c[m + 4i + r, n + 4j …]
#end
#end
#end
  let end = endOf(id.z);
  for (var k = id.z * sizes.CHUNK; k < end; k += 4u) {
#unroll i ROWS
    let a$i = loadA(m + 4u * $i, k);
#end
#unroll j COLS
    let b$j = loadB(k, n + 4u * $j);
#end
#unroll p 4
#unroll i ROWS
#unroll j COLS
#unroll r 4
    c$i_$j_$r = fma(vec4f(a$i[$p][$r]), b$j[$p], c$i_$j_$r);
#end
#end
#end
#end
  }
  // A loop, because unrolled stores take CPU adapters several times as long to compile as all of the above.
  var sums: array<vec4f, 4 * ROWS * COLS>;
#unroll i ROWS
#unroll j COLS
#unroll r 4
  sums[(4 * $i + $r) * COLS + $j] = c$i_$j_$r;
#end
#end
#end
  for (var i = 0u; i < min(4u * ROWS, sizes.M - m); i++) {
    for (var j = 0u; j < COLS; j++) {
      store(m + i, n + 4u * j, id.z, sums[i * COLS + j]);
    }
  }
}
