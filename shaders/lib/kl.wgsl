// Estimators of KL(policy ‖ reference) from one log-prob, by KL: (value, slope at the log-prob). d = log p − reference.
//   K1  d      ABS  |d|      K2  d²/2      K3  exp(z) − z − 1, z = clamp(−d, ±20), clamped to ±10
//   K3_PLUS  value of K3, slope of K2
// Schulman 2020, "Approximating KL divergence". Needs the constant KL and the names of its values.
fn klToReference(logProb: f32, reference: f32) -> vec2f {
  let difference = logProb - reference;
  if (KL == K1) { return vec2f(difference, 1.0); }
  if (KL == ABS) { return vec2f(abs(difference), sign(difference)); }
  if (KL == K2) { return vec2f(0.5 * difference * difference, difference); }
  let z = clamp(reference - logProb, -20.0, 20.0);
  let freeK3 = exp(z) - z - 1.0;
  let k3 = clamp(freeK3, -10.0, 10.0);
  if (KL == K3_PLUS) { return vec2f(k3, difference); }
  return vec2f(k3, select(1.0 - exp(z), 0.0, freeK3 > 10.0));
}
