// Adds the statistics of one micro-batch's sites to running totals, in a fixed order.
// If any of them is NaN or infinite the micro-batch adds nothing and vetoes the update it is part of.
//   sites [M] (…, weight), stats [M, 2] of vec4, veto [1]
//   totals [12]: sites, weighted loss, then Σ over sites of log-prob, entropy, loss, KL, ratio, clipped, dual-clipped,
//   old − log-prob, then Σ clipped of sites with a positive advantage: those clipped above
// One workgroup of 64 threads.
@group(0) @binding(0) var<storage, read> sites: array<vec4f>;
@group(0) @binding(1) var<storage, read> stats: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> totals: array<f32>;
@group(0) @binding(3) var<storage, read_write> veto: array<f32>;
var<workgroup> partial_low: array<vec4f, 64>;
var<workgroup> partial_high: array<vec4f, 64>;
var<workgroup> partial_count: array<vec3f, 64>;

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
  partial_low[lane] = low;
  partial_high[lane] = high;
  partial_count[lane] = count;
  workgroupBarrier();
  if (lane != 0) { return; }
  for (var i = 1u; i < 64; i++) {
    low += partial_low[i];
    high += partial_high[i];
    count += partial_count[i];
  }
  if (!is_finite(low) || !is_finite(high) || !is_finite(count.xyzz)) {
    veto[0] = 1.0;
    return;
  }
  totals[0] += count.x;
  totals[1] += count.y;
  totals[10] += count.z;
  for (var i = 0u; i < 4; i++) {
    totals[2 + i] += low[i];
    totals[6 + i] += high[i];
  }
}
