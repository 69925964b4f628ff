// Sums in a fixed order that end or replace a matmul.
//   splits:  c [M, N] (+)= sum over z of partial [z, M, N] (+ bias [N]) (+ residual [M, N]); one thread per output.
//   columns: c [z, N] (+)= sum over rows k in [z CHUNK, (z+1) CHUNK) of x [K, N]; one thread per column and z.
#include "lib/grid"

struct Sizes {
  M: u32,
  N: u32,
  K: u32,
  CHUNK: u32,
}
@group(0) @binding(0) var<uniform> sizes: Sizes;
@group(0) @binding(1) var<storage, read> partial: array<f32>; // [ceil(K / CHUNK), M, N]
@group(0) @binding(2) var<storage, read> x: array<f32>; // [K, N]
#if HAS_BIAS
@group(0) @binding(3) var<storage, read> bias: array<f32>; // [N]
#end
#if HAS_RESIDUAL
@group(0) @binding(4) var<storage, read> residual: array<f32>; // [M, N]
#end
@group(0) @binding(5) var<storage, read_write> c: array<f32>;
#if BOUNDED
@group(0) @binding(6) var<uniform> rows: u32; // k that were summed
#end

@compute @workgroup_size(64)
fn splits(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let at = linearIndex(id, groups);
  let size = sizes.M * sizes.N;
  if (at >= size) {
    return;
  }
  var depth = sizes.K;
#if BOUNDED
  depth = min(depth, rows);
#end
  let count = (depth + sizes.CHUNK - 1u) / sizes.CHUNK;
  var value = 0.0;
  for (var z = 0u; z < count; z++) {
    value += partial[z * size + at];
  }
#if HAS_BIAS
  value += bias[at % sizes.N];
#end
#if HAS_RESIDUAL
  value += residual[at];
#end
#if ACCUMULATE
  value += c[at];
#end
  c[at] = value;
}

@compute @workgroup_size(16)
fn columns(@builtin(global_invocation_id) id: vec3u) {
  if (id.x >= sizes.N) {
    return;
  }
  let end = min(sizes.K, (id.y + 1u) * sizes.CHUNK);
  var value = 0.0;
  for (var k = id.y * sizes.CHUNK; k < end; k++) {
    value += x[k * sizes.N + id.x];
  }
  let at = id.y * sizes.N + id.x;
#if ACCUMULATE
  value += c[at];
#end
  c[at] = value;
}
