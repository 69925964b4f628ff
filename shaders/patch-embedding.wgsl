// x[places[p]] = weight patches[p] + bias for the leading `rows` patches; the other rows of x stay as they are.
// dweight += sum of outer(dy[places[p]], patches[p]), dbias += sum of dy[places[p]], in the order of p; then these rows
// of dy are cleared: what they held before, the embedding of their tokens, was not used.
// x, dy, dx: [N, D]; patches: [P, W Elements]; places: [P], no row twice; weight, dweight: [D, W Elements];
// bias, dbias: [D]. forward: a thread a number of a patch's row. weights: a thread an Element of dweight.
// biases: a thread a column of dx.
#include "lib/element"
#include "lib/grid"

@group(0) @binding(0) var<storage, read> patches: array<Element>;
@group(0) @binding(1) var<storage, read> places: array<u32>;
@group(0) @binding(2) var<storage, read> weight: array<Element>;
@group(0) @binding(3) var<storage, read> bias: array<f32>;
@group(0) @binding(4) var<storage, read_write> x: array<f32>;
@group(0) @binding(5) var<storage, read> dy: array<f32>;
@group(0) @binding(6) var<storage, read_write> dweight: array<Element>;
@group(0) @binding(7) var<storage, read_write> dx: array<f32>;
@group(0) @binding(8) var<storage, read_write> dbias: array<f32>;
@group(0) @binding(9) var<uniform> rows: u32;

@compute @workgroup_size(64)
fn forward(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = linearIndex(id, groups);
  if (index >= rows * D) {
    return;
  }
  let p = index / D;
  let d = index % D;
  var sum = bias[d];
  for (var k = 0u; k < W; k++) {
    sum += inner(weight[d * W + k], patches[p * W + k]);
  }
  x[places[p] * D + d] = sum;
}

@compute @workgroup_size(64)
fn weights(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = linearIndex(id, groups);
  if (index >= D * W) {
    return;
  }
  var sum = Element(0);
  for (var p = 0u; p < rows; p++) {
    sum += dy[places[p] * D + index / W] * patches[p * W + index % W];
  }
  dweight[index] += sum;
}

@compute @workgroup_size(64)
fn biases(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let d = linearIndex(id, groups);
  if (d >= D) {
    return;
  }
  var sum: f32 = 0;
  for (var p = 0u; p < rows; p++) {
    sum += dx[places[p] * D + d];
    dx[places[p] * D + d] = 0;
  }
  dbias[d] += sum;
}
