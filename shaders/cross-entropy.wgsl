// Cross-entropy of labelled sites, fused with its gradient at the logits (the warm start's loss).
//   loss += −weight · log softmax(logits)[target];  logits.grad += weight · (softmax − onehot)
//   logits [M, V], targets [M], sites [M] (unused, unused, unused, weight), stats [M, 2] of vec4: (log-prob, entropy,
//   −log-prob, 0), 0
// LANES threads work on a site: 1 for small vocabularies, 64 for large ones. WHOLE and SLICED as in policy-loss.wgsl.
#include "lib/reduce"
@group(0) @binding(1) var<storage, read> targets: array<u32>;
@group(0) @binding(2) var<storage, read> sites: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> stats: array<vec4f>;
#if WHOLE
@group(0) @binding(0) var<storage, read> logits: array<f32>;
@group(0) @binding(4) var<storage, read_write> logitsGrad: array<f32>;
#include "lib/softmax-sums"
#end
#if SLICED
@group(0) @binding(0) var<storage, read> sums: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> slopes: array<vec4f>;
#include "lib/softmax"
#end

@compute @workgroup_size(64)
fn forward(@builtin(local_invocation_id) local: vec3u, @builtin(workgroup_id) group: vec3u) {
  let lane = local.x % LANES;
  let wanted = group.x * (64 / LANES) + local.x / LANES;
  let site = min(wanted, M - 1);
#if WHOLE
  let softmax = softmaxOf(softmaxSums(site * V, site * V + V, lane, 1.0));
  let logProb = logits[site * V + targets[site]] - softmax.logSum;
#end
#if SLICED
  let all = sums[site];
  let softmax = softmaxOf(SoftmaxSums(all.x, all.y, all.z));
  let logProb = all.w - softmax.logSum;
#end
  let weight = sites[site].w;
  if (wanted >= M) { return; }
  if (lane == 0) {
    stats[site * 2] = vec4f(logProb, softmax.entropy, -logProb, 0.0);
    stats[site * 2 + 1] = vec4f();
  }
  if (weight == 0.0) { return; }
#if SLICED
  slopes[site] = vec4f(softmax.logSum, softmax.entropy, -weight, 0.0);
#end
#if WHOLE
  let start = site * V;
  for (var at = start + lane; at < start + V; at += LANES) {
    let hit = f32(at == start + targets[site]);
    logitsGrad[at] += weight * (exp(logits[at] - softmax.logSum) - hit);
  }
#end
}
