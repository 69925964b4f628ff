// y = a + b;  grad += dy.
// a, b, y, dy, grad: [SIZE], SIZE elements in any shape.
// A thread takes four consecutive elements.
#include "lib/grid"

@group(0) @binding(0) var<storage, read> a: array<f32>;
@group(0) @binding(1) var<storage, read> b: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
@group(0) @binding(3) var<storage, read> dy: array<f32>;
@group(0) @binding(4) var<storage, read_write> grad: array<f32>;

@compute @workgroup_size(64)
fn forward(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let first = 4u * linear_index(id, groups);
  for (var i = first; i < min(first + 4u, SIZE); i++) {
    y[i] = a[i] + b[i];
  }
}

@compute @workgroup_size(64)
fn backward(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let first = 4u * linear_index(id, groups);
  for (var i = first; i < min(first + 4u, SIZE); i++) {
    grad[i] += dy[i];
  }
}
