/** Float64 reference of per-token KL estimators (Schulman, "Approximating KL divergence", 2020) and their gradients. */
import type { KlEstimator } from '../../src/ops/policy-loss';
import { clamp } from './policy-loss';

/**
 * Estimate and gradient to logProb. k3 = clamp(exp(z) − z − 1, ±10), z = clamp(ref − logProb, ±20); k3+ has k2's
 * gradient.
 */
export function klEstimate(
  estimator: KlEstimator,
  logProb: number,
  refLogProb: number,
): { value: number; gradient: number } {
  const d = logProb - refLogProb;
  const z = clamp(-d, -20, 20);
  const k3 = Math.exp(z) - z - 1;
  switch (estimator) {
    case 'k1':
      return { value: d, gradient: 1 };
    case 'abs':
      return { value: Math.abs(d), gradient: Math.sign(d) };
    case 'k2':
      return { value: (d * d) / 2, gradient: d };
    case 'k3':
      return { value: clamp(k3, -10, 10), gradient: Math.abs(k3) <= 10 && Math.abs(d) <= 20 ? 1 - Math.exp(z) : 0 };
    case 'k3+':
      return { value: clamp(k3, -10, 10), gradient: d };
  }
}
