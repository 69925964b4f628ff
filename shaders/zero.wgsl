// x = 0: gradients that share memory are cleared again within a replay.
// x: [SIZE], in any shape. A thread takes four consecutive elements.
#include "lib/grid"

@group(0) @binding(0) var<storage, read_write> x: array<f32>;

@compute @workgroup_size(64)
fn forward(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let first = 4u * linearIndex(id, groups);
  for (var i = first; i < min(first + 4u, SIZE); i++) {
    x[i] = 0.0;
  }
}
