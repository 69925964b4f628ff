/**
 * KL to a reference policy inside the reward, and the controller that keeps it near a target.
 *
 *   r_t := r_t − β k_t        d = log π − log π_ref
 *   k1 = d        abs = |d|        k2 = d²/2        k3 = exp(−d) + d − 1        (−d clamped to ±20, k3 to ±10)
 *   β := β (1 + clamp(KL / target − 1, ±0.2) · n / horizon)        after an update that used n samples
 *
 * Estimators: Schulman 2020, "Approximating KL divergence". Penalty and controller: Ziegler et al. 2019 (arXiv
 * 1909.08593), section 2.2. In the reward, the KL of a token is credited to every earlier token, too.
 */
import { exp } from '../../lib/portable-math';
import type { KlEstimator } from '../../ops/policy-loss';
import { withRewards, type Episode, type TokenInputs } from '../episodes/episode';

const clamp = (x: number, bound: number): number => Math.min(bound, Math.max(-bound, x));

/** Estimate of KL(π ‖ π_ref) in nats from one token's log-probabilities. k3+ is k3 with another gradient. */
export function klEstimate(estimator: KlEstimator, logProb: number, referenceLogProb: number): number {
  const d = logProb - referenceLogProb;
  switch (estimator) {
    case 'k1':
      return d;
    case 'abs':
      return Math.abs(d);
    case 'k2':
      return (d * d) / 2;
    case 'k3':
    case 'k3+': {
      const z = clamp(-d, 20);
      return clamp(exp(z) - z - 1, 10);
    }
  }
}

/**
 * The same episodes with β · KL taken off the reward of each agent token; rewards of masked tokens are 0.
 * @param logProbs of every token under the policy that sampled [episodes][steps][n]
 * @param referenceLogProbs of every token under the reference [episodes][steps][n]
 */
export function penaliseKl(
  episodes: readonly Episode[],
  logProbs: TokenInputs,
  referenceLogProbs: TokenInputs,
  { estimator, beta }: { readonly estimator: KlEstimator; readonly beta: number },
): Episode[] {
  return withRewards(episodes, (i, k, t) => {
    const kl = klEstimate(estimator, logProbs[i][k][t], referenceLogProbs[i][k][t]);
    return episodes[i].steps[k].rewards[t] - beta * kl;
  });
}

/**
 * β after an update that used `samples` samples and measured `kl`.
 * @param controller KL in nats a token that β steers towards, and samples over which β may change by a fifth
 */
export function adaptBeta(
  beta: number,
  kl: number,
  samples: number,
  { target, horizon }: { readonly target: number; readonly horizon: number },
): number {
  return beta * (1 + (clamp(kl / target - 1, 0.2) * samples) / horizon);
}
