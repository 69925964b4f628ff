// y = x r weight for each head x of queries and keys,  r = 1 / sqrt(mean(x^2) + EPSILON);  y = x for values.
//   dx += r (dy weight - x r^2 mean(dy weight x));   dx += dy for values
// x, y, dy, dx: [N, (H + 2 HK) E], heads q | k | v; queryWeight, keyWeight: [E]. A head has W Elements.
// A thread a head of a token.
#include "lib/element"
#include "lib/grid"

@group(0) @binding(0) var<storage, read> x: array<Element>;
@group(0) @binding(1) var<storage, read> queryWeight: array<Element>;
@group(0) @binding(2) var<storage, read> keyWeight: array<Element>;
@group(0) @binding(3) var<storage, read_write> y: array<Element>;
@group(0) @binding(4) var<storage, read> dy: array<Element>;
@group(0) @binding(5) var<storage, read_write> dx: array<Element>;

const HEADS = H + 2 * HK;

fn weightOf(head: u32, c: u32) -> Element {
  if (head < H) {
    return queryWeight[c];
  }
  return keyWeight[c];
}

fn scaleOf(at: u32) -> f32 {
  var squares = 0.0;
  for (var c = 0u; c < W; c++) {
    squares += inner(x[at + c], x[at + c]);
  }
  return inverseSqrt(squares / E + EPSILON);
}

@compute @workgroup_size(64)
fn forward(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = linearIndex(id, groups);
  if (index >= N * HEADS) {
    return;
  }
  let head = index % HEADS;
  let at = index * W;
  if (head >= H + HK) {
    for (var c = 0u; c < W; c++) {
      y[at + c] = x[at + c];
    }
    return;
  }
  let r = scaleOf(at);
  for (var c = 0u; c < W; c++) {
    y[at + c] = x[at + c] * r * weightOf(head, c);
  }
}

@compute @workgroup_size(64)
fn backward(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = linearIndex(id, groups);
  if (index >= N * HEADS) {
    return;
  }
  let head = index % HEADS;
  let at = index * W;
  if (head >= H + HK) {
    for (var c = 0u; c < W; c++) {
      dx[at + c] += dy[at + c];
    }
    return;
  }
  let r = scaleOf(at);
  var sum = 0.0;
  for (var c = 0u; c < W; c++) {
    sum += inner(dy[at + c] * weightOf(head, c), x[at + c]);
  }
  let along = r * r * sum / E;
  for (var c = 0u; c < W; c++) {
    dx[at + c] += r * (dy[at + c] * weightOf(head, c) - x[at + c] * along);
  }
}
