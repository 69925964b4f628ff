// Softmax of logits that exist a slice of the vocabulary at a time: logits [M, COUNT] of the tokens from FIRST on.
//   gather: sums [M] (largest, Σ e, Σ e (z − largest), z of the target) of the slices so far, z = logits / temperature,
//     e = exp(z − largest). The slice that begins at token 0 starts anew.
//   weigh: the same, and the logits become exp(z − largest). rowSums [M, D] have the sum of the head's rows by these,
//     of the slices before, and are scaled to the new largest.
//   gradient: logits become their gradient, by the slopes [M] (log Σ exp(z), entropy, slope, spread) of a loss:
//     slope · (hit − p) + spread · p · (log p + entropy); 0 where a site has weight 0, whose slopes are not written.
//   pull: dhidden [M, D] += slope · (row of the target − rowSums / Σ e), where the weight is not 0: what `gradient` and
//     a product with the head would add, for spread = 0. A thread a number; elsewhere a workgroup a site.
#include "lib/grid"
#include "lib/reduce"
@group(0) @binding(0) var<storage, read_write> logits: array<f32>;
@group(0) @binding(1) var<storage, read> targets: array<u32>;
@group(0) @binding(2) var<storage, read_write> sums: array<vec4f>;
@group(0) @binding(3) var<storage, read> sites: array<vec4f>; // of each the last number is its weight
@group(0) @binding(4) var<storage, read> slopes: array<vec4f>;
@group(0) @binding(5) var<uniform> inverseTemperature: f32;
@group(0) @binding(6) var<uniform> slice: vec2u; // FIRST, COUNT
@group(0) @binding(7) var<storage, read_write> rowSums: array<f32>;
@group(0) @binding(8) var<storage, read> targetRows: array<f32>;
@group(0) @binding(9) var<storage, read_write> dhidden: array<f32>;
#include "lib/softmax-sums"

const LANES = 64u;

@compute @workgroup_size(64)
fn gather(@builtin(local_invocation_id) local: vec3u, @builtin(workgroup_id) group: vec3u) {
  let site = group.x;
  let start = site * slice.y;
  let own = softmaxSums(start, start + slice.y, local.x, inverseTemperature);
  if (local.x != 0) { return; }
  let all = joined(sumsBefore(site), own);
  let place = targets[site] - slice.x;
  let held = select(all.w, logits[start + min(place, slice.y - 1)] * inverseTemperature, place < slice.y);
  sums[site] = vec4f(all.xyz, held);
}

fn sumsBefore(site: u32) -> vec4f {
  if (slice.x > 0) { return sums[site]; }
  return vec4f(-3.0e38, 0.0, 0.0, 0.0);
}

fn joined(all: vec4f, own: SoftmaxSums) -> vec4f {
  let largest = max(all.x, own.largest);
  let before = exp(all.x - largest);
  let now = exp(own.largest - largest);
  let total = before * all.y + now * own.total;
  let weightedBefore = before * (all.z + all.y * (all.x - largest));
  let weighted = weightedBefore + now * (own.weighted + own.total * (own.largest - largest));
  return vec4f(largest, total, weighted, all.w);
}

@compute @workgroup_size(64)
fn weigh(@builtin(local_invocation_id) local: vec3u, @builtin(workgroup_id) group: vec3u) {
  let site = group.x;
  let start = site * slice.y;
  // Read by all lanes before one writes: the sums wait for each other.
  let before = sumsBefore(site);
  let place = targets[site] - slice.x;
  let held = select(before.w, logits[start + min(place, slice.y - 1)] * inverseTemperature, place < slice.y);
  let all = joined(before, softmaxSums(start, start + slice.y, local.x, inverseTemperature));
  for (var at = start + local.x; at < start + slice.y; at += LANES) {
    logits[at] = exp(logits[at] * inverseTemperature - all.x);
  }
  if (slice.x > 0) {
    let scale = exp(before.x - all.x);
    for (var at = site * D + local.x; at < (site + 1) * D; at += LANES) { rowSums[at] *= scale; }
  }
  if (local.x == 0) { sums[site] = vec4f(all.xyz, held); }
}

@compute @workgroup_size(64)
fn pull(@builtin(global_invocation_id) id: vec3u, @builtin(num_workgroups) groups: vec3u) {
  let index = linearIndex(id, groups);
  let site = index / D;
  if (site >= M || sites[site].w == 0.0) { return; }
  dhidden[index] += slopes[site].z * (targetRows[index] - rowSums[index] / sums[site].y);
}

@compute @workgroup_size(64)
fn gradient(@builtin(local_invocation_id) local: vec3u, @builtin(workgroup_id) group: vec3u) {
  let site = group.x;
  let start = site * slice.y;
  let row = slopes[site];
  let unused = sites[site].w == 0.0;
  let targetAt = start + targets[site] - slice.x;
  for (var at = start + local.x; at < start + slice.y; at += LANES) {
    let logP = logits[at] * inverseTemperature - row.x;
    let p = exp(logP);
    let hit = f32(at == targetAt);
    logits[at] = select(row.z * (hit - p) + row.w * p * (logP + row.y), 0.0, unused);
  }
}
