// y = x (1 + t) / 2,  t = tanh(u),  u = sqrt(2 / pi) (x + 0.044715 x^3);   dx += dy (1 + t + x (1 - t^2) u') / 2
// x, y, dy, dx: [N, F]. F is W Elements; a thread takes one.
#include "lib/element"
#include "lib/grid"

@group(0) @binding(0) var<storage, read> x: array<Element>;
@group(0) @binding(1) var<storage, read_write> y: array<Element>;
@group(0) @binding(2) var<storage, read> dy: array<Element>;
@group(0) @binding(3) var<storage, read_write> dx: array<Element>;

const ROOT = 0.7978845608028654; // sqrt(2 / pi)
const CUBIC = 0.044715;

// The built-in tanh gives NaN for large arguments on some drivers; beyond 10 it is 1 in f32.
fn tanhOf(v: Element) -> Element {
  let u = clamp(ROOT * (v + CUBIC * v * v * v), Element(-10), Element(10));
  return 1 - 2 / (exp(2 * u) + 1);
}

@compute @workgroup_size(64)
fn forward(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = linearIndex(id, groups);
  if (index < N * W) {
    let v = x[index];
    y[index] = 0.5 * v * (1 + tanhOf(v));
  }
}

@compute @workgroup_size(64)
fn backward(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = linearIndex(id, groups);
  if (index < N * W) {
    let v = x[index];
    let t = tanhOf(v);
    dx[index] += dy[index] * 0.5 * (1 + t + v * (1 - t * t) * ROOT * (1 + 3 * CUBIC * v * v));
  }
}
