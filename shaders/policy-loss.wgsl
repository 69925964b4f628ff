// Masked policy-gradient loss, fused: log-softmax, log-prob, entropy, ratio, clip, KL and the gradient at the logits.
// Sites are the predictions of tokens in the loss only, so masked tokens cost nothing. For a site with target a:
//   log p = log softmax(logits / temperature)[a],  l by KIND (lib/policy-terms),  KL estimate by KL (lib/kl)
//   loss += weight · (l + kl_coefficient · KL − entropy_coefficient · H);  logits.grad += d loss / d logits
//   logits [M, V], targets [M], sites [M] (old log-prob, reference log-prob, advantage, weight)
//   stats [M, 2] of vec4: (log-prob, entropy, l, KL), (ratio, clipped, dual-clipped, old − log-prob)
// `forward` is the loss of kinds that look at one token. Kinds that look at a sequence take two dispatches: `measure`
// writes
//   log_ratios [M], and `forward_sequence` adds them up over the site's sequence, sequences [M]: (first site, one past
//   the last).
// LANES threads work on a site: 1 for small vocabularies, 64 for large ones.
#include "lib/reduce"
@group(0) @binding(0) var<storage, read> logits: array<f32>;
@group(0) @binding(1) var<storage, read> targets: array<u32>;
@group(0) @binding(2) var<storage, read> sites: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> stats: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> logits_grad: array<f32>;
@group(0) @binding(5) var<uniform> settings: Settings;
@group(0) @binding(6) var<storage, read> sequences: array<vec2u>;
@group(0) @binding(7) var<storage, read_write> log_ratios: array<f32>;

struct Settings {
  inverse_temperature: f32,
  clip_low: f32,
  clip_high: f32,
  dual_clip: f32,
  kl_coefficient: f32,
  entropy_coefficient: f32,
  tau_positive: f32,
  tau_negative: f32,
}

#include "lib/softmax"
#include "lib/policy-terms"
#include "lib/kl"

// A site as its threads see it.
struct Site {
  index: u32,
  lane: u32,
  // false for threads past the last site, which repeat it and write nothing
  exists: bool,
  softmax: SoftmaxRow,
  log_prob: f32,
  // log-prob − old
  log_ratio: f32,
  label: vec4f,
}

fn read_site(local: u32, group: u32) -> Site {
  let lane = local % LANES;
  let unbounded = group * (64 / LANES) + local / LANES;
  let index = min(unbounded, M - 1);
  let softmax = softmax_row(index, lane, settings.inverse_temperature);
  let log_prob = logits[index * V + targets[index]] * settings.inverse_temperature - softmax.log_sum;
  let label = sites[index];
  return Site(index, lane, unbounded < M, softmax, log_prob, log_prob - label.x, label);
}

fn write_site(site: Site, loss: Loss) {
  let kl = kl_to_reference(site.log_prob, site.label.y);
  if (site.lane == 0 && site.exists) {
    stats[site.index * 2] = vec4f(site.log_prob, site.softmax.entropy, loss.value, kl.x);
    stats[site.index * 2 + 1] = vec4f(loss.ratio, loss.clipped, loss.dual_clipped, -site.log_ratio);
  }
  let weight = site.label.w;
  if (weight == 0.0 || !site.exists) { return; }
  let slope = weight * (loss.slope + settings.kl_coefficient * kl.y) * settings.inverse_temperature;
  let spread = weight * settings.entropy_coefficient * settings.inverse_temperature;
  let start = site.index * V;
  for (var at = start + site.lane; at < start + V; at += LANES) {
    let log_p = logits[at] * settings.inverse_temperature - site.softmax.log_sum;
    let p = exp(log_p);
    let hit = f32(at == start + targets[site.index]);
    logits_grad[at] += slope * (hit - p) + spread * p * (log_p + site.softmax.entropy);
  }
}

@compute @workgroup_size(64)
fn forward(@builtin(local_invocation_id) local: vec3u, @builtin(workgroup_id) group: vec3u) {
  let site = read_site(local.x, group.x);
  write_site(site, token_loss(site.log_ratio, site.label.z, site.log_prob));
}

@compute @workgroup_size(64)
fn measure(@builtin(local_invocation_id) local: vec3u, @builtin(workgroup_id) group: vec3u) {
  let site = read_site(local.x, group.x);
  if (site.lane == 0 && site.exists) { log_ratios[site.index] = site.log_ratio; }
}

fn add_up(site: Site) -> Sequence {
  let bounds = sequences[site.index];
  var sum = vec3f();
  for (var i = bounds.x + site.lane; i < bounds.y; i += LANES) {
    let advantage = sites[i].z;
    sum += vec3f(log_ratios[i], held_log_ratio(log_ratios[i], advantage), advantage);
  }
  let tokens = f32(max(1, bounds.y - bounds.x));
  return Sequence(tokens, reduce_sum(site.lane, sum.x), reduce_sum(site.lane, sum.y), reduce_sum(site.lane, sum.z));
}

@compute @workgroup_size(64)
fn forward_sequence(@builtin(local_invocation_id) local: vec3u, @builtin(workgroup_id) group: vec3u) {
  let site = read_site(local.x, group.x);
  write_site(site, sequence_loss(add_up(site), site.log_ratio, site.label.z));
}
