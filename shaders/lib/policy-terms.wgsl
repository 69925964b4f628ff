// Policy losses of one token, by KIND, with slopes at its log-prob. d = log p − old, r = exp(clamp(d, ±20)), A the advantage.
// Needs the uniform `settings` of policy-loss.wgsl, the constant KIND and the names of its values.
//   CLIP       max(−A r, −A clamp(r, 1−low, 1+high)); where A < 0 at most −A dual_clip     PPO, Schulman 2017; dual clip, Ye 2020
//   CISPO      −const(clamp(r, 1−low, 1+high)) A log p                                     MiniMax-M1, 2025
//   SAPO       −4/τ sigmoid(τ (r−1)) A,  τ by the sign of A                                Gao 2025
//   REINFORCE  −A log p                                                                    Williams 1992; GPG, Chu 2025
// and, with a mean over the n tokens of a sequence,
//   GSPO       CLIP without dual clip, of r = exp(min(mean d, 10)); the slope is that of a token with this ratio     Zheng 2025
//   GMPO       −mean A · exp(mean y),  y = d held to ≤ high where A > 0 and to ≥ −low where A < 0                     Zhao 2025
struct Loss {
  value: f32,
  // d value / d log-prob; for sequences n d value / d log-prob, so that weights that are equal in a sequence give its gradient
  slope: f32,
  // of the token, or of its sequence
  ratio: f32,
  clipped: f32,
  dual_clipped: f32,
}

// Sums over the tokens of one sequence.
struct Sequence {
  tokens: f32,
  log_ratio: f32,
  // Σ y of GMPO
  held: f32,
  advantage: f32,
}

fn token_ratio(log_ratio: f32) -> f32 {
  return exp(clamp(log_ratio, -20.0, 20.0));
}

// `flows` is whether the ratio follows the log-prob, or stands at the bound that keeps it finite.
fn clipped(ratio: f32, advantage: f32, flows: bool) -> Loss {
  let free = -advantage * ratio;
  let held = -advantage * clamp(ratio, 1.0 - settings.clip_low, 1.0 + settings.clip_high);
  return Loss(max(free, held), select(0.0, free, free >= held && flows), ratio, f32(held > free), 0.0);
}

fn clip_loss(log_ratio: f32, advantage: f32) -> Loss {
  let loss = clipped(token_ratio(log_ratio), advantage, abs(log_ratio) <= 20.0);
  let bound = -advantage * settings.dual_clip;
  if (advantage < 0.0 && loss.value > bound) { return Loss(bound, 0.0, loss.ratio, loss.clipped, 1.0); }
  return loss;
}

fn cispo_loss(log_ratio: f32, advantage: f32, log_prob: f32) -> Loss {
  let ratio = token_ratio(log_ratio);
  let held = clamp(ratio, 1.0 - settings.clip_low, 1.0 + settings.clip_high);
  return Loss(-held * advantage * log_prob, -held * advantage, ratio, f32(held != ratio), 0.0);
}

fn sapo_loss(log_ratio: f32, advantage: f32) -> Loss {
  let tau = select(settings.tau_negative, settings.tau_positive, advantage > 0.0);
  let ratio = token_ratio(log_ratio);
  let gate = 1.0 / (1.0 + exp(-tau * (ratio - 1.0)));
  let slope = -4.0 * gate * (1.0 - gate) * ratio * advantage;
  return Loss(-4.0 / tau * gate * advantage, select(0.0, slope, abs(log_ratio) <= 20.0), ratio, 0.0, 0.0);
}

fn token_loss(log_ratio: f32, advantage: f32, log_prob: f32) -> Loss {
  if (KIND == CISPO) { return cispo_loss(log_ratio, advantage, log_prob); }
  if (KIND == SAPO) { return sapo_loss(log_ratio, advantage); }
  if (KIND == REINFORCE) {
    return Loss(-advantage * log_prob, -advantage, token_ratio(log_ratio), 0.0, 0.0);
  }
  return clip_loss(log_ratio, advantage);
}

// y of GMPO.
fn held_log_ratio(log_ratio: f32, advantage: f32) -> f32 {
  if (advantage == 0.0) { return 0.0; }
  return select(max(log_ratio, -settings.clip_low), min(log_ratio, settings.clip_high), advantage > 0.0);
}

fn gspo_loss(sequence: Sequence, advantage: f32) -> Loss {
  let mean = sequence.log_ratio / sequence.tokens;
  return clipped(exp(min(mean, 10.0)), advantage, mean <= 10.0);
}

fn gmpo_loss(sequence: Sequence, log_ratio: f32, advantage: f32) -> Loss {
  let ratio = exp(sequence.held / sequence.tokens);
  let value = -sequence.advantage / sequence.tokens * ratio;
  let flows = advantage != 0.0 && held_log_ratio(log_ratio, advantage) == log_ratio;
  let outside = f32(log_ratio < -settings.clip_low || log_ratio > settings.clip_high);
  return Loss(value, select(0.0, value, flows), ratio, outside * f32(advantage > 0.0), outside * f32(advantage < 0.0));
}

fn sequence_loss(sequence: Sequence, log_ratio: f32, advantage: f32) -> Loss {
  if (KIND == GMPO) { return gmpo_loss(sequence, log_ratio, advantage); }
  return gspo_loss(sequence, advantage);
}
