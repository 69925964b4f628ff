// y[n, b + shift] += SCALE sum_j h[n, s R + j] B[b, j]: low-rank changes of up to three parts of a layer's output.
//   dh[n, s R + j] += SCALE sum_{b of s} dy[n, b + shift] B[b, j]
//   dB[b, j] += SCALE sum_n dy[n, b + shift] h[n, s R + j]
// Rows b of B belong to part s = 0, 1, 2 by LOW1 and LOW2; SHIFT0 to SHIFT2 lead to the part's columns of y.
// y, dy: [N, WIDTH]; h, dh: [N, PARTS R]; B, dB: [OUT, R].
// forward: a thread an output (n, b). hidden: a thread an (n, s, j). weights: a thread a (b, j), over `rows` tokens.
#include "lib/grid"

@group(0) @binding(0) var<storage, read> h: array<f32>;
@group(0) @binding(1) var<storage, read> weight: array<f32>;
@group(0) @binding(2) var<storage, read_write> y: array<f32>;
@group(0) @binding(3) var<storage, read> dy: array<f32>;
@group(0) @binding(4) var<storage, read_write> dh: array<f32>;
@group(0) @binding(5) var<storage, read_write> dweight: array<f32>;
#if BOUNDED
@group(0) @binding(6) var<uniform> rows: u32;
#end

fn partOf(b: u32) -> u32 {
  return u32(b >= LOW1) + u32(b >= LOW2);
}

fn columnOf(b: u32) -> u32 {
  return b + array<u32, 3>(SHIFT0, SHIFT1, SHIFT2)[partOf(b)];
}

@compute @workgroup_size(64)
fn forward(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = linearIndex(id, groups);
  if (index >= N * OUT) {
    return;
  }
  let n = index / OUT;
  let b = index % OUT;
  let at = (n * PARTS + partOf(b)) * R;
  var sum = 0.0;
  for (var j = 0u; j < R; j++) {
    sum += h[at + j] * weight[b * R + j];
  }
  y[n * WIDTH + columnOf(b)] += SCALE * sum;
}

@compute @workgroup_size(64)
fn hidden(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = linearIndex(id, groups);
  if (index >= N * PARTS * R) {
    return;
  }
  let j = index % R;
  let part = index / R % PARTS;
  let n = index / (R * PARTS);
  let ends = array<u32, 4>(0, min(LOW1, OUT), min(LOW2, OUT), OUT);
  let shift = array<u32, 3>(SHIFT0, SHIFT1, SHIFT2)[part];
  var sum = 0.0;
  for (var b = ends[part]; b < ends[part + 1]; b++) {
    sum += dy[n * WIDTH + b + shift] * weight[b * R + j];
  }
  dh[index] += SCALE * sum;
}

@compute @workgroup_size(64)
fn weights(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = linearIndex(id, groups);
  if (index >= OUT * R) {
    return;
  }
  let b = index / R;
  let at = partOf(b) * R + index % R;
  let column = columnOf(b);
  var count: u32 = N;
#if BOUNDED
  count = rows;
#end
  var sum = 0.0;
  for (var n = 0u; n < count; n++) {
    sum += dy[n * WIDTH + column] * h[n * PARTS * R + at];
  }
  dweight[index] += SCALE * sum;
}
