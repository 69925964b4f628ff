// y = x * r * weight,  r = 1 / sqrt(mean(x^2) + EPSILON)
//   dx += r (dy * weight - x r^2 mean(dy * weight * x));   dweight += sum_n dy[n] x[n] r[n]
// x, y, dy, dx: [N, D]; weight, dweight: [D]; scale (r): [N]; partial: [N / CHUNK, D]. A row has W Elements.
// forward, backward: LANES threads a row. A CPU adapter runs one thread a row, without barriers. Elsewhere a workgroup
// of 64 takes a row: its loads are of neighbours, where a thread a row fetches 16 of every 4 D bytes, and N rows keep
// 64 N threads busy. Terms are added in the order of the row either way, so LANES changes no bit.
// weightPartial: a thread sums one column of Elements over CHUNK rows; weightTotal: over the chunks.
#include "lib/element"
#include "lib/grid"

@group(0) @binding(0) var<storage, read> x: array<Element>;
@group(0) @binding(1) var<storage, read> weight: array<Element>;
@group(0) @binding(2) var<storage, read_write> y: array<Element>;
@group(0) @binding(3) var<storage, read_write> scaleOut: array<f32>;
@group(0) @binding(4) var<storage, read> scale: array<f32>;
@group(0) @binding(5) var<storage, read> dy: array<Element>;
@group(0) @binding(6) var<storage, read_write> dx: array<Element>;
@group(0) @binding(7) var<storage, read_write> partialOut: array<Element>;
@group(0) @binding(8) var<storage, read> partial: array<Element>;
@group(0) @binding(9) var<storage, read_write> dweight: array<Element>;

#if SHARED
var<workgroup> terms: array<f32, LANES>;
#end

// sum + the terms of the lanes, lane 0 first; of the first `count` lanes if there are more.
fn plusLanes(sum: f32, term: f32, lane: u32, count: u32) -> f32 {
#if ALONE
  return sum + term;
#end
#if SHARED
  workgroupBarrier();
  terms[lane] = term;
  workgroupBarrier();
  var total = sum;
  for (var i = 0u; i < min(count, LANES); i++) {
    total += terms[i];
  }
  return total;
#end
}

@compute @workgroup_size(64)
fn forward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(local_invocation_id) local: vec3u,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
#if ALONE
  let n = linearIndex(id, groups);
  let lane = 0u;
#end
#if SHARED
  let n = group.x;
  let lane = local.x;
#end
  if (n >= N) {
    return;
  }
  // The same number as W, but one that drivers cannot unroll by: llvmpipe takes half a minute to compile it unrolled.
  let width = arrayLength(&weight);
  var squares = 0.0;
  for (var first = 0u; first < width; first += LANES) {
    let value = x[n * W + min(first + lane, width - 1)];
    squares = plusLanes(squares, inner(value, value), lane, width - first);
  }
  let r = inverseSqrt(squares / D + EPSILON);
  if (lane == 0) {
    scaleOut[n] = r;
  }
  for (var c = lane; c < width; c += LANES) {
    y[n * W + c] = x[n * W + c] * r * weight[c];
  }
}

@compute @workgroup_size(64)
fn backward(
  @builtin(global_invocation_id) id: vec3u,
  @builtin(local_invocation_id) local: vec3u,
  @builtin(workgroup_id) group: vec3u,
  @builtin(num_workgroups) groups: vec3u,
) {
#if ALONE
  let n = linearIndex(id, groups);
  let lane = 0u;
#end
#if SHARED
  let n = group.x;
  let lane = local.x;
#end
  if (n >= N) {
    return;
  }
  let width = arrayLength(&weight);
  var sum = 0.0;
  for (var first = 0u; first < width; first += LANES) {
    let c = min(first + lane, width - 1);
    sum = plusLanes(sum, inner(dy[n * W + c] * weight[c], x[n * W + c]), lane, width - first);
  }
  let r = scale[n];
  let along = r * r * sum / D;
  for (var c = lane; c < width; c += LANES) {
    dx[n * W + c] += r * (dy[n * W + c] * weight[c] - x[n * W + c] * along);
  }
}

@compute @workgroup_size(64)
fn weightPartial(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = linearIndex(id, groups);
  let first = index / W * CHUNK;
  let c = index % W;
  if (first >= N) {
    return;
  }
  var sum = Element(0);
  for (var n = first; n < min(first + CHUNK, N); n++) {
    sum += dy[n * W + c] * x[n * W + c] * scale[n];
  }
  partialOut[index] = sum;
}

@compute @workgroup_size(64)
fn weightTotal(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let c = linearIndex(id, groups);
  if (c >= W) {
    return;
  }
  var sum = Element(0);
  for (var at = c; at < (N + CHUNK - 1) / CHUNK * W; at += W) {
    sum += partial[at];
  }
  dweight[c] += sum;
}
