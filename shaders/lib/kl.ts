/** Estimators of KL(policy ‖ reference) from one log-prob; the formulas stand in kl.wgsl. */
import { exp } from './math';

/** In the order of src/ops/policy-loss.ts. */
export const enum Kl {
  K1,
  ABS,
  K2,
  K3,
  K3_PLUS,
}

function freeK3(z: f32): f32 {
  const held = min<f32>(max<f32>(z, -20), 20);
  return exp(held) - held - 1;
}

export function klValue(kl: u32, logProb: f32, reference: f32): f32 {
  const difference = logProb - reference;
  if (kl == Kl.K1) return difference;
  if (kl == Kl.ABS) return abs<f32>(difference);
  if (kl == Kl.K2) return <f32>0.5 * difference * difference;
  return min<f32>(freeK3(-difference), 10);
}

/** d value / d log-prob */
export function klSlope(kl: u32, logProb: f32, reference: f32): f32 {
  const difference = logProb - reference;
  if (kl == Kl.K1) return 1;
  if (kl == Kl.ABS) return difference > 0 ? 1 : difference < 0 ? -1 : 0;
  if (kl == Kl.K2 || kl == Kl.K3_PLUS) return difference;
  return freeK3(-difference) > 10 ? 0 : 1 - exp(-difference);
}
