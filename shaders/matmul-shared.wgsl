// C [M, N] (+)= op(A) [M, K] · op(B) [K, N] (+ bias [N]) (+ residual [M, N]); M, N, K multiples of 4.
// A workgroup of WX x WY threads computes a tile of 4 ROWS WY x 4 COLS WX outputs; 16 k at a time of both operands pass
// through workgroup memory, as rows of k, whatever their layout. A thread computes 4 ROWS x 4 COLS outputs.
// Each output adds its products with k ascending by fma, as in the other matmul kernels, so all give the same bits.
#include "lib/matmul-operands"

const THREADS = WX * WY;
const BLOCKS_M = ROWS * WY; // 4x4 blocks of the tile
const BLOCKS_N = COLS * WX;
const BLOCKS_K = 4u;
const A_BLOCKS = BLOCKS_M * BLOCKS_K;
const B_BLOCKS = BLOCKS_N * BLOCKS_K;
// One more than the row keeps threads that write a column of blocks off each other's banks.
const STRIDE_A = BLOCKS_M + 1u;
const STRIDE_B = BLOCKS_N + 1u;

var<workgroup> tileA: array<vec4f, 4u * BLOCKS_K * STRIDE_A>;
var<workgroup> tileB: array<vec4f, 4u * BLOCKS_K * STRIDE_B>;

// Neighbouring threads read neighbouring memory: along the stored rows of A, then of B.
fn fill(i: u32, m: u32, n: u32, k: u32) {
  if (i < A_BLOCKS) {
    let at = select(vec2u(i / BLOCKS_K, i % BLOCKS_K), vec2u(i % BLOCKS_M, i / BLOCKS_M), TRANSPOSE_A);
    let block = loadA(m + 4u * at.x, k + 4u * at.y);
#unroll p 4
    tileA[(4u * at.y + $p) * STRIDE_A + at.x] = block[$p];
#end
  } else {
    let rest = i - A_BLOCKS;
    let at = select(vec2u(rest % BLOCKS_N, rest / BLOCKS_N), vec2u(rest / BLOCKS_K, rest % BLOCKS_K), TRANSPOSE_B);
    let block = loadB(k + 4u * at.y, n + 4u * at.x);
#unroll p 4
    tileB[(4u * at.y + $p) * STRIDE_B + at.x] = block[$p];
#end
  }
}

@compute @workgroup_size(WX, WY)
fn forward(
  @builtin(workgroup_id) group: vec3u,
  @builtin(local_invocation_id) id: vec3u,
  @builtin(local_invocation_index) index: u32,
) {
  let m = group.y * (4u * BLOCKS_M);
  let n = group.x * (4u * BLOCKS_N);
#unroll i ROWS
#unroll j COLS
#unroll r 4
  var c$i_$j_$r = vec4f();
#end
#end
#end
  let end = endOf(group.z);
  for (var k = group.z * sizes.CHUNK; k < end; k += 4u * BLOCKS_K) {
    for (var i = index; i < A_BLOCKS + B_BLOCKS; i += THREADS) {
      fill(i, m, n, k);
    }
    workgroupBarrier();
    let count = min(4u * BLOCKS_K, end - k);
    for (var q = 0u; q < count; q += 4u) {
#unroll p 4
#unroll i ROWS
      let a$i_$p = tileA[(q + $p) * STRIDE_A + id.y * ROWS + $i];
#end
#unroll j COLS
      let b$j_$p = tileB[(q + $p) * STRIDE_B + id.x * COLS + $j];
#end
#unroll i ROWS
#unroll j COLS
#unroll r 4
      c$i_$j_$r = fma(vec4f(a$i_$p[$r]), b$j_$p, c$i_$j_$r);
#end
#end
#end
#end
    }
    workgroupBarrier();
  }
#unroll i ROWS
#unroll j COLS
#unroll r 4
  store(m + 4u * (id.y * ROWS + $i) + $r, n + 4u * (id.x * COLS + $j), group.z, c$i_$j_$r);
#end
#end
#end
}
