// Masked policy-gradient loss, fused: log-softmax, log-prob, entropy, ratio, clip, KL and the gradient at the logits.
// Sites are the predictions of tokens in the loss only, so masked tokens cost nothing. For a site with target a:
//   log p = log softmax(logits / temperature)[a],  r = exp(clamp(log p − old, ±20))
//   l     = max(−A r, −A clamp(r, 1−CLIP_LOW, 1+CLIP_HIGH));  where A < 0: l = min(l, −A DUAL_CLIP)     (Schulman 2017; Ye 2020)
//   k3    = exp(z) − z − 1, z = clamp(reference − log p, ±20), clamped to ±10                          (Schulman, "Approximating KL")
//   loss += weight · (l + kl k3 − entropy_bonus H);  logits.grad += d loss / d logits
//   logits [M, V], targets [M], sites [M] (old log-prob, reference log-prob, advantage, weight)
//   stats [M, 2] of vec4: (log-prob, entropy, l, k3), (ratio, clipped, dual-clipped, old − log-prob)
// LANES threads work on a site: 1 for small vocabularies, 64 for large ones.
#include "lib/reduce"
@group(0) @binding(0) var<storage, read> logits: array<f32>;
@group(0) @binding(1) var<storage, read> targets: array<u32>;
@group(0) @binding(2) var<storage, read> sites: array<vec4f>;
@group(0) @binding(3) var<storage, read_write> stats: array<vec4f>;
@group(0) @binding(4) var<storage, read_write> logits_grad: array<f32>;
@group(0) @binding(5) var<uniform> settings: Settings;

struct Settings {
  inverse_temperature: f32,
  clip_low: f32,
  clip_high: f32,
  dual_clip: f32,
  kl_coefficient: f32,
  entropy_coefficient: f32,
}

struct Loss {
  value: f32,
  // d value / d log-prob
  slope: f32,
  clipped: f32,
  dual_clipped: f32,
}

#include "lib/softmax"

fn clipped_loss(difference: f32, advantage: f32) -> Loss {
  let ratio = exp(clamp(difference, -20.0, 20.0));
  let free = -advantage * ratio;
  let held = -advantage * clamp(ratio, 1.0 - settings.clip_low, 1.0 + settings.clip_high);
  var loss = Loss(max(free, held), select(0.0, free, free >= held && abs(difference) <= 20.0), f32(held > free), 0.0);
  let bound = -advantage * settings.dual_clip;
  if (advantage < 0.0 && loss.value > bound) { loss = Loss(bound, 0.0, loss.clipped, 1.0); }
  return loss;
}

@compute @workgroup_size(64)
fn forward(@builtin(local_invocation_id) local: vec3u, @builtin(workgroup_id) group: vec3u) {
  let lane = local.x % LANES;
  let site = min(group.x * (64 / LANES) + local.x / LANES, M - 1);
  let softmax = softmax_row(site, lane, settings.inverse_temperature);
  let label = sites[site];
  let log_prob = logits[site * V + targets[site]] * settings.inverse_temperature - softmax.log_sum;
  let difference = log_prob - label.x;
  let loss = clipped_loss(difference, label.z);
  let z = clamp(label.y - log_prob, -20.0, 20.0);
  let free_k3 = exp(z) - z - 1.0;
  let k3 = clamp(free_k3, -10.0, 10.0);
  let k3_slope = select(1.0 - exp(z), 0.0, free_k3 > 10.0);
  if (lane == 0 && group.x * (64 / LANES) + local.x / LANES < M) {
    stats[site * 2] = vec4f(log_prob, softmax.entropy, loss.value, k3);
    stats[site * 2 + 1] = vec4f(exp(clamp(difference, -20.0, 20.0)), loss.clipped, loss.dual_clipped, -difference);
  }
  let slope = label.w * (loss.slope + settings.kl_coefficient * k3_slope) * settings.inverse_temperature;
  let spread = label.w * settings.entropy_coefficient * settings.inverse_temperature;
  if (label.w == 0.0 || group.x * (64 / LANES) + local.x / LANES >= M) { return; }
  for (var v = lane; v < V; v += LANES) {
    let log_p = logits[site * V + v] * settings.inverse_temperature - softmax.log_sum;
    let p = exp(log_p);
    let hit = f32(v == targets[site]);
    logits_grad[site * V + v] += slope * (hit - p) + spread * p * (log_p + softmax.entropy);
  }
}
