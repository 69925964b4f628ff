// y = gate s up,  s = 1 / (1 + exp(-gate));   dgate += dy up s (1 + gate (1 - s));   dup += dy gate s
// x, dx: [N, 2F], gate in the first half of a row and up in the second; y, dy: [N, F]. F is W Elements.
// A thread an Element of y.
#include "lib/element"
#include "lib/grid"

@group(0) @binding(0) var<storage, read> x: array<Element>;
@group(0) @binding(1) var<storage, read_write> y: array<Element>;
@group(0) @binding(2) var<storage, read> dy: array<Element>;
@group(0) @binding(3) var<storage, read_write> dx: array<Element>;

// exp may only make infinities where the device keeps them, so its argument stops short of them.
fn sigmoid(u: Element) -> Element {
  return 1 / (1 + exp(min(-u, Element(80))));
}

@compute @workgroup_size(64)
fn forward(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = linearIndex(id, groups);
  if (index >= N * W) {
    return;
  }
  let at = index / W * (2 * W) + index % W;
  let gate = x[at];
  y[index] = gate * sigmoid(gate) * x[at + W];
}

@compute @workgroup_size(64)
fn backward(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = linearIndex(id, groups);
  if (index >= N * W) {
    return;
  }
  let at = index / W * (2 * W) + index % W;
  let gate = x[at];
  let s = sigmoid(gate);
  dx[at] += dy[index] * x[at + W] * s * (1 + gate * (1 - s));
  dx[at + W] += dy[index] * gate * s;
}
