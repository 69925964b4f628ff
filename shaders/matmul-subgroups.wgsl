// C [M, N] (+)= op(A) [M, K] · op(B) [K, N] (+ bias [N]) (+ residual [M, N]); M, N, K multiples of 4.
// A workgroup is one subgroup of SUBGROUP threads; a thread computes 4 columns of SHARES SUBGROUP rows in registers.
// Each thread loads a part of A and broadcasts it to the others: a CPU adapter loads for one thread after the other.
// Each output adds its products with k ascending by fma, as in the other matmul kernels, so all give the same bits.
enable subgroups;
#include "lib/matmul-operands"

const ROWS = u32(SHARES * SUBGROUP);

// Of the SUBGROUP rows from m, at k … k+3: row `lane`, or 4 rows at one k if that is how they are stored.
fn loadShare(m: u32, k: u32, lane: u32) -> vec4f {
  if (TRANSPOSE_A) {
    return a[((k + lane % 4u) * sizes.M + m + (lane & ~3u)) / 4u];
  }
  return a[((m + lane) * sizes.K + k) / 4u];
}

@compute @workgroup_size(SUBGROUP)
fn forward(@builtin(workgroup_id) group: vec3u, @builtin(subgroup_invocation_id) lane: u32) {
  let n = (group.x * SUBGROUP + lane) * 4u;
  let m = group.y * ROWS;
#unroll i SHARES
#unroll r SUBGROUP
  var c$i_$r = vec4f(); // c[m + i SUBGROUP + r, n …]
#end
#end
  let end = endOf(group.z);
  for (var k = group.z * sizes.CHUNK; k < end; k += 4u) {
#unroll i SHARES
    let a$i = loadShare(m + $i * SUBGROUP, k, lane);
#end
    let b = loadB(k, n);
#unroll p 4
#unroll i SHARES
#unroll r SUBGROUP
    c$i_$r = fma(
      vec4f(subgroupBroadcast(a$i[select($p, $r % 4, TRANSPOSE_A)], select($r, $r / 4 * 4 + $p, TRANSPOSE_A))),
      b[$p], c$i_$r);
#end
#end
#end
  }
  // A loop, because unrolled stores take CPU adapters several times as long to compile as all of the above.
  var sums: array<vec4f, ROWS>;
#unroll i SHARES
#unroll r SUBGROUP
  sums[$i * SUBGROUP + $r] = c$i_$r;
#end
#end
  for (var i = 0u; i < min(ROWS, sizes.M - m); i++) {
    store(m + i, n, group.z, sums[i]);
  }
}
