// Clipped value loss of a critic, fused with its gradient.
//   c = clamp(value, old ± CLIP);  l = max((value − return)², (c − return)²);  loss += 0.5 · coefficient · weight · l
//   (Schulman 2017, as in PPO2) value [M], sites [M] (old value, return, coefficient, weight), stats [M] (0.5 l,
//   clipped), valueGrad [M]
// `forward` one thread a site; `addUp` one workgroup, adds Σ weight · stats to totals [2], unless that is not finite.
@group(0) @binding(0) var<storage, read> value: array<f32>;
@group(0) @binding(1) var<storage, read> sites: array<vec4f>;
@group(0) @binding(2) var<storage, read_write> stats: array<vec2f>;
@group(0) @binding(3) var<storage, read_write> valueGrad: array<f32>;

@compute @workgroup_size(64)
fn forward(@builtin(global_invocation_id) id: vec3u) {
  let site = id.x;
  if (site >= M) { return; }
  let label = sites[site];
  let free = value[site] - label.y;
  let held = clamp(value[site], label.x - CLIP, label.x + CLIP) - label.y;
  let clipped = held * held > free * free;
  stats[site] = vec2f(0.5 * max(free * free, held * held), f32(clipped));
  // The clipped branch has slope 0 where the clamp holds; inside the clamp both branches are equal.
  valueGrad[site] += select(label.z * label.w * free, 0.0, clipped);
}

#include "lib/finite"
@group(0) @binding(4) var<storage, read_write> totals: array<f32>;
var<workgroup> partial: array<vec2f, 64>;

@compute @workgroup_size(64)
fn addUp(@builtin(local_invocation_id) local: vec3u) {
  var sum = vec2f();
  for (var site = local.x; site < M; site += 64) {
    if (sites[site].w != 0.0) { sum += sites[site].w * stats[site]; }
  }
  partial[local.x] = sum;
  workgroupBarrier();
  if (local.x != 0) { return; }
  for (var i = 1u; i < 64; i++) { sum += partial[i]; }
  if (!isFinite(vec4f(sum.x))) { return; }
  totals[0] += sum.x;
  totals[1] += sum.y;
}
