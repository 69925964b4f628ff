// Adds the statistics of one micro-batch's sites to running totals, in a fixed order.
// If any of them is NaN or infinite the micro-batch adds nothing and vetoes the update it is part of.
//   sites [M] (…, weight), stats [M, 2] of vec4, veto [1]
//   totals: the fields of Totals are sums over sites
// One workgroup of 64 threads.
@group(0) @binding(0) var<storage, read> sites: array<vec4f>;
@group(0) @binding(1) var<storage, read> stats: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> totals: Totals;
@group(0) @binding(3) var<storage, read_write> veto: array<f32>;

struct Totals {
  sites: f32,
  weightedLoss: f32,
  logProb: f32,
  entropy: f32,
  loss: f32,
  kl: f32,
  ratio: f32,
  clipped: f32,
  dualClipped: f32,
  // old − log-prob
  approxKl: f32,
  // clipped where the advantage is positive
  clippedAbove: f32,
}

var<workgroup> partialLow: array<vec4f, 64>;
var<workgroup> partialHigh: array<vec4f, 64>;
var<workgroup> partialCount: array<vec3f, 64>;

#include "lib/finite"

@compute @workgroup_size(64)
fn forward(@builtin(local_invocation_id) local: vec3u) {
  let lane = local.x;
  var low = vec4f();
  var high = vec4f();
  var count = vec3f();
  for (var site = lane; site < M; site += 64) {
    let weight = sites[site].w;
    if (weight == 0.0) { continue; }
    low += stats[site * 2];
    high += stats[site * 2 + 1];
    count += vec3f(1.0, weight * stats[site * 2].z, select(0.0, stats[site * 2 + 1].y, sites[site].z > 0.0));
  }
  partialLow[lane] = low;
  partialHigh[lane] = high;
  partialCount[lane] = count;
  workgroupBarrier();
  if (lane != 0) { return; }
  for (var i = 1u; i < 64; i++) {
    low += partialLow[i];
    high += partialHigh[i];
    count += partialCount[i];
  }
  if (!isFinite(low) || !isFinite(high) || !isFinite(count.xyzz)) {
    veto[0] = 1.0;
    return;
  }
  totals.sites += count.x;
  totals.weightedLoss += count.y;
  totals.logProb += low.x;
  totals.entropy += low.y;
  totals.loss += low.z;
  totals.kl += low.w;
  totals.ratio += high.x;
  totals.clipped += high.y;
  totals.dualClipped += high.z;
  totals.approxKl += high.w;
  totals.clippedAbove += count.z;
}
