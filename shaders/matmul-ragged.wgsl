// C [M, N] (+)= op(A) [M, K] · op(B) [K, N] (+ bias [N]) (+ residual [M, N]) for any sizes and layouts, by strides.
// One thread computes 4 x 4 outputs: rows m … m+3, and columns 4 apart so that neighbouring threads read neighbouring memory.
#include "lib/matmul"

@compute @workgroup_size(4, 4)
fn forward(@builtin(workgroup_id) group: vec3u, @builtin(local_invocation_id) id: vec3u) {
  let n = group.x * 16u + id.x;
  let m = group.y * 16u + id.y * 4u;
  if (m >= sizes.M || n >= sizes.N) {
    return;
  }
#unroll i 4
#unroll j 4
  var c$i_$j = 0.0;
#end
#end
  let begin = group.z * sizes.CHUNK;
  let end = min(sizes.K, begin + sizes.CHUNK);
  var at_a = m * sizes.A_M + begin * sizes.A_K;
  var at_b = n * sizes.B_N + begin * sizes.B_K;
  for (var k = begin; k < end; k++) {
#unroll i 4
    let a$i = a[at_a + $i * sizes.A_M];
#end
#unroll j 4
    let b$j = b[at_b + $j * 4u * sizes.B_N];
#end
#unroll i 4
#unroll j 4
    c$i_$j = fma(a$i, b$j, c$i_$j);
#end
#end
    at_a += sizes.A_K;
    at_b += sizes.B_K;
  }
#unroll i 4
#unroll j 4
  store(m + $i, n + $j * 4u, group.z, c$i_$j);
#end
#end
}
