// Policy losses of one token, by KIND, with slopes at its log-prob.
// d = log p − old, r = exp(clamp(d, ±20)), A the advantage.
// Needs the uniform `settings` of policy-loss.wgsl, the constant KIND and the names of its values.
//   CLIP       max(−A r, −A clamp(r, 1−low, 1+high)); where A < 0 at most −A dualClip
//              PPO, Schulman 2017; dual clip, Ye 2020
//   CISPO      −const(clamp(r, 1−low, 1+high)) A log p              MiniMax-M1, 2025
//   SAPO       −4/τ sigmoid(τ (r−1)) A,  τ = 1 if A > 0, else 1.05  Gao 2025
//   REINFORCE  −A log p                                             Williams 1992; GPG, Chu 2025
// and, with a mean over the n tokens of a sequence,
//   GSPO       CLIP without dual clip, of r = exp(min(mean d, 10)); the slope is that of a token with this ratio
//              Zheng 2025
//   GMPO       −mean A · exp(mean y),  y = d held to ≤ high where A > 0 and to ≥ −low where A < 0
//              Zhao 2025
struct Loss {
  value: f32,
  // d value / d log-prob; of sequences n times that, so that equal weights in a sequence give its gradient
  slope: f32,
  // of the token, or of its sequence
  ratio: f32,
  clipped: f32,
  dualClipped: f32,
}

// Sums over the tokens of one sequence.
struct Sequence {
  tokens: f32,
  logRatio: f32,
  // Σ y of GMPO
  held: f32,
  advantage: f32,
}

fn tokenRatio(logRatio: f32) -> f32 {
  return exp(clamp(logRatio, -20.0, 20.0));
}

// `flows` is whether the ratio follows the log-prob, or stands at the bound that keeps it finite.
fn clipped(ratio: f32, advantage: f32, flows: bool) -> Loss {
  let free = -advantage * ratio;
  let held = -advantage * clamp(ratio, 1.0 - settings.clipLow, 1.0 + settings.clipHigh);
  return Loss(max(free, held), select(0.0, free, free >= held && flows), ratio, f32(held > free), 0.0);
}

fn clipLoss(logRatio: f32, advantage: f32) -> Loss {
  let loss = clipped(tokenRatio(logRatio), advantage, abs(logRatio) <= 20.0);
  let bound = -advantage * settings.dualClip;
  if (advantage < 0.0 && loss.value > bound) { return Loss(bound, 0.0, loss.ratio, loss.clipped, 1.0); }
  return loss;
}

fn cispoLoss(logRatio: f32, advantage: f32, logProb: f32) -> Loss {
  let ratio = tokenRatio(logRatio);
  let held = clamp(ratio, 1.0 - settings.clipLow, 1.0 + settings.clipHigh);
  return Loss(-held * advantage * logProb, -held * advantage, ratio, f32(held != ratio), 0.0);
}

fn sapoLoss(logRatio: f32, advantage: f32) -> Loss {
  let tau = select(1.05, 1.0, advantage > 0.0);
  let ratio = tokenRatio(logRatio);
  let gate = 1.0 / (1.0 + exp(-tau * (ratio - 1.0)));
  let slope = -4.0 * gate * (1.0 - gate) * ratio * advantage;
  return Loss(-4.0 / tau * gate * advantage, select(0.0, slope, abs(logRatio) <= 20.0), ratio, 0.0, 0.0);
}

fn tokenLoss(logRatio: f32, advantage: f32, logProb: f32) -> Loss {
  if (KIND == CISPO) { return cispoLoss(logRatio, advantage, logProb); }
  if (KIND == SAPO) { return sapoLoss(logRatio, advantage); }
  if (KIND == REINFORCE) {
    return Loss(-advantage * logProb, -advantage, tokenRatio(logRatio), 0.0, 0.0);
  }
  return clipLoss(logRatio, advantage);
}

// y of GMPO.
fn heldLogRatio(logRatio: f32, advantage: f32) -> f32 {
  if (advantage == 0.0) { return 0.0; }
  return select(max(logRatio, -settings.clipLow), min(logRatio, settings.clipHigh), advantage > 0.0);
}

fn gspoLoss(sequence: Sequence, advantage: f32) -> Loss {
  let mean = sequence.logRatio / sequence.tokens;
  return clipped(exp(min(mean, 10.0)), advantage, mean <= 10.0);
}

fn gmpoLoss(sequence: Sequence, logRatio: f32, advantage: f32) -> Loss {
  let ratio = exp(sequence.held / sequence.tokens);
  let value = -sequence.advantage / sequence.tokens * ratio;
  let flows = advantage != 0.0 && heldLogRatio(logRatio, advantage) == logRatio;
  let outside = f32(logRatio < -settings.clipLow || logRatio > settings.clipHigh);
  return Loss(value, select(0.0, value, flows), ratio, outside * f32(advantage > 0.0), outside * f32(advantage < 0.0));
}

fn sequenceLoss(sequence: Sequence, logRatio: f32, advantage: f32) -> Loss {
  if (KIND == GMPO) { return gmpoLoss(sequence, logRatio, advantage); }
  return gspoLoss(sequence, advantage);
}
