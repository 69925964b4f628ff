// y[m] = x[chosen[m]], or 0 where chosen[m] >= N;   dx[chosen[m]] += dy[m]
// x, dx: [N, D]; chosen: [M], no row twice; y, dy: [M, D]. A row has W Elements; a thread takes one.
#include "lib/element"
#include "lib/grid"

@group(0) @binding(0) var<storage, read> x: array<Element>;
@group(0) @binding(1) var<storage, read> chosen: array<u32>;
@group(0) @binding(2) var<storage, read_write> y: array<Element>;
@group(0) @binding(3) var<storage, read> dy: array<Element>;
@group(0) @binding(4) var<storage, read_write> dx: array<Element>;

@compute @workgroup_size(64)
fn forward(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = linearIndex(id, groups);
  if (index >= M * W) {
    return;
  }
  let n = chosen[index / W];
  var value = Element(0);
  if (n < N) {
    value = x[n * W + index % W];
  }
  y[index] = value;
}

@compute @workgroup_size(64)
fn backward(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = linearIndex(id, groups);
  if (index >= M * W) {
    return;
  }
  let n = chosen[index / W];
  if (n < N) {
    dx[n * W + index % W] += dy[index];
  }
}
