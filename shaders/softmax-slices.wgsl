// Softmax of logits that exist a slice of the vocabulary at a time: logits [M, COUNT] of the tokens from FIRST on.
//   gather: sums [M] (largest, Σ e, Σ e (z − largest), z of the target) of the slices so far, z = logits / temperature,
//     e = exp(z − largest). The slice that begins at token 0 starts anew.
//   gradient: logits become their gradient, by the slopes [M] (log Σ exp(z), entropy, slope, spread) of a loss:
//     slope · (hit − p) + spread · p · (log p + entropy); 0 where a site has weight 0, whose slopes are not written.
// A workgroup a site.
#include "lib/reduce"
@group(0) @binding(0) var<storage, read_write> logits: array<f32>;
@group(0) @binding(1) var<storage, read> targets: array<u32>;
@group(0) @binding(2) var<storage, read_write> sums: array<vec4f>;
@group(0) @binding(3) var<storage, read> sites: array<vec4f>; // of each the last number is its weight
@group(0) @binding(4) var<storage, read> slopes: array<vec4f>;
@group(0) @binding(5) var<uniform> inverseTemperature: f32;
@group(0) @binding(6) var<uniform> slice: vec2u; // FIRST, COUNT
#include "lib/softmax-sums"

const LANES = 64u;

@compute @workgroup_size(64)
fn gather(@builtin(local_invocation_id) local: vec3u, @builtin(workgroup_id) group: vec3u) {
  let site = group.x;
  let start = site * slice.y;
  let own = softmaxSums(start, start + slice.y, local.x, inverseTemperature);
  if (local.x != 0) { return; }
  var all = vec4f(-3.0e38, 0.0, 0.0, 0.0);
  if (slice.x > 0) { all = sums[site]; }
  let largest = max(all.x, own.largest);
  let before = exp(all.x - largest);
  let now = exp(own.largest - largest);
  let total = before * all.y + now * own.total;
  let weightedBefore = before * (all.z + all.y * (all.x - largest));
  let weighted = weightedBefore + now * (own.weighted + own.total * (own.largest - largest));
  let place = targets[site] - slice.x;
  if (place < slice.y) { all.w = logits[start + place] * inverseTemperature; }
  sums[site] = vec4f(largest, total, weighted, all.w);
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
