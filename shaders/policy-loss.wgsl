// Masked policy-gradient loss, fused: log-softmax, log-prob, entropy, ratio, clip, KL and the gradient at the logits.
// Sites are the predictions of tokens in the loss only, so masked tokens cost nothing. For a site with target a:
//   log p = log softmax(logits / temperature)[a],  l by KIND (lib/policy-terms),  KL estimate by KL (lib/kl)
//   loss += weight · (l + klCoefficient · KL − entropyCoefficient · H);  logits.grad += d loss / d logits
//   logits [M, V], targets [M], sites [M] (old log-prob, reference log-prob, advantage, weight)
//   stats [M, 2] of vec4: (log-prob, entropy, l, KL), (ratio, clipped, dual-clipped, old − log-prob)
// `forward` is the loss of kinds that look at one token. Kinds that look at a sequence take two dispatches: `measure`
// writes
//   logRatios [M], and `forwardSequence` adds them up over the site's sequence, sequences [M]: (first site, one past
//   the last).
// LANES threads work on a site: 1 for small vocabularies, 64 for large ones.
// WHOLE: all logits are there. SLICED: they are not, but their sums [M] as softmax-slices gathers them; LANES is 1, and
// slopes [M] (log Σ exp(z), entropy, slope, spread) leave the gradient to that kernel.
#include "lib/reduce"
#if WHOLE
@group(0) @binding(0) var<storage, read> logits: array<f32>;
@group(0) @binding(4) var<storage, read_write> logitsGrad: array<f32>;
#end
#if SLICED
@group(0) @binding(0) var<storage, read> sums: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> slopes: array<vec4f>;
#end
@group(0) @binding(1) var<storage, read> targets: array<u32>;
@group(0) @binding(2) var<storage, read> sites: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> stats: array<vec4f>;
@group(0) @binding(5) var<uniform> settings: Settings;
@group(0) @binding(6) var<storage, read> sequences: array<vec2u>;
@group(0) @binding(7) var<storage, read_write> logRatios: array<f32>;

struct Settings {
  inverseTemperature: f32,
  clipLow: f32,
  clipHigh: f32,
  dualClip: f32,
  klCoefficient: f32,
  entropyCoefficient: f32,
}

#if WHOLE
#include "lib/softmax-sums"
#end
#if SLICED
#include "lib/softmax"
#end
#include "lib/policy-terms"
#include "lib/kl"

// A site as its threads see it.
struct Site {
  index: u32,
  lane: u32,
  // false for threads past the last site, which repeat it and write nothing
  exists: bool,
  softmax: SoftmaxRow,
  logProb: f32,
  // log-prob − old
  logRatio: f32,
  label: vec4f,
}

fn readSite(local: u32, group: u32) -> Site {
  let lane = local % LANES;
  let unbounded = group * (64 / LANES) + local / LANES;
  let index = min(unbounded, M - 1);
#if WHOLE
  let softmax = softmaxOf(softmaxSums(index * V, index * V + V, lane, settings.inverseTemperature));
  let logProb = logits[index * V + targets[index]] * settings.inverseTemperature - softmax.logSum;
#end
#if SLICED
  let all = sums[index];
  let softmax = softmaxOf(SoftmaxSums(all.x, all.y, all.z));
  let logProb = all.w - softmax.logSum;
#end
  let label = sites[index];
  return Site(index, lane, unbounded < M, softmax, logProb, logProb - label.x, label);
}

fn writeSite(site: Site, loss: Loss) {
  let kl = klToReference(site.logProb, site.label.y);
  if (site.lane == 0 && site.exists) {
    stats[site.index * 2] = vec4f(site.logProb, site.softmax.entropy, loss.value, kl.x);
    stats[site.index * 2 + 1] = vec4f(loss.ratio, loss.clipped, loss.dualClipped, -site.logRatio);
  }
  let weight = site.label.w;
  if (weight == 0.0 || !site.exists) { return; }
  let slope = weight * (loss.slope + settings.klCoefficient * kl.y) * settings.inverseTemperature;
  let spread = weight * settings.entropyCoefficient * settings.inverseTemperature;
#if SLICED
  slopes[site.index] = vec4f(site.softmax.logSum, site.softmax.entropy, slope, spread);
#end
#if WHOLE
  let start = site.index * V;
  for (var at = start + site.lane; at < start + V; at += LANES) {
    let logP = logits[at] * settings.inverseTemperature - site.softmax.logSum;
    let p = exp(logP);
    let hit = f32(at == start + targets[site.index]);
    logitsGrad[at] += slope * (hit - p) + spread * p * (logP + site.softmax.entropy);
  }
#end
}

@compute @workgroup_size(64)
fn forward(@builtin(local_invocation_id) local: vec3u, @builtin(workgroup_id) group: vec3u) {
  let site = readSite(local.x, group.x);
  writeSite(site, tokenLoss(site.logRatio, site.label.z, site.logProb));
}

@compute @workgroup_size(64)
fn measure(@builtin(local_invocation_id) local: vec3u, @builtin(workgroup_id) group: vec3u) {
  let site = readSite(local.x, group.x);
  if (site.lane == 0 && site.exists) { logRatios[site.index] = site.logRatio; }
}

fn addUp(site: Site) -> Sequence {
  let bounds = sequences[site.index];
  var sum = vec3f();
  for (var i = bounds.x + site.lane; i < bounds.y; i += LANES) {
    let advantage = sites[i].z;
    sum += vec3f(logRatios[i], heldLogRatio(logRatios[i], advantage), advantage);
  }
  let tokens = f32(max(1, bounds.y - bounds.x));
  return Sequence(tokens, reduceSum(site.lane, sum.x), reduceSum(site.lane, sum.y), reduceSum(site.lane, sum.z));
}

@compute @workgroup_size(64)
fn forwardSequence(@builtin(local_invocation_id) local: vec3u, @builtin(workgroup_id) group: vec3u) {
  let site = readSite(local.x, group.x);
  writeSite(site, sequenceLoss(addUp(site), site.logRatio, site.label.z));
}
