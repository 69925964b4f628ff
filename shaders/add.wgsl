// grad += dy: the backward of a residual.
// dy, grad: [SIZE], in any shape. A thread takes four consecutive elements.
#include "lib/grid"

@group(0) @binding(0) var<storage, read> dy: array<f32>;
@group(0) @binding(1) var<storage, read_write> grad: array<f32>;

@compute @workgroup_size(64)
fn backward(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let first = 4u * linearIndex(id, groups);
  for (var i = first; i < min(first + 4u, SIZE); i++) {
    grad[i] += dy[i];
  }
}
