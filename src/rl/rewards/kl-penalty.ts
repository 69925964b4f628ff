/**
 * KL to a reference policy inside the reward, and the controller that keeps it near a target.
 *
 *   r_t := r_t − β k_t        d = log π − log π_ref
 *   k1 = d        abs = |d|        k2 = d²/2        k3 = exp(−d) + d − 1        (−d clamped to ±20, k3 to ±10)
 *   β := β (1 + clamp(KL / target − 1, ±0.2) · n / horizon)        after an update that used n samples
 *
 * Estimators: Schulman 2020, "Approximating KL divergence". Penalty and controller: Ziegler et al. 2019 (arXiv
 * 1909.08593), section 2.2. In the reward, the KL of a token is also the credit of every token before it. KL as a term
 * of the loss is the kernel's business.
 */
import type { KlEstimator } from '../../ops/policy-loss';
import type { Episode, TokenInputs } from '../episodes/episode';

const clamp = (x: number, bound: number): number => Math.min(bound, Math.max(-bound, x));

/**
 * Estimate of KL(π ‖ π_ref) in nats from one token's log-probabilities. k3+ is k3: it differs by its gradient, and a
 * reward has none.
 */
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
      return clamp(Math.exp(z) - z - 1, 10);
    }
  }
}

export interface KlPenalty {
  /** The same episodes with β · KL taken off each agent token's reward; rewards of masked tokens are 0. */
  readonly episodes: Episode[];
  /** Mean over episodes of the mean over their agent tokens; an episode without any counts as 0. */
  readonly meanKl: number;
}

/**
 * @param logProbs of every token under the policy that sampled [episodes][steps][n]
 * @param referenceLogProbs of every token under the reference [episodes][steps][n]
 */
export function penaliseKl(
  episodes: readonly Episode[],
  logProbs: TokenInputs,
  referenceLogProbs: TokenInputs,
  { estimator, beta }: { readonly estimator: KlEstimator; readonly beta: number },
): KlPenalty {
  let meanKl = 0;
  const penalised = episodes.map((episode, i) => {
    let sum = 0;
    let count = 0;
    const steps = episode.steps.map(({ mask, rewards }, k) => {
      const less = new Float64Array(mask.length);
      for (let t = 0; t < mask.length; t++) {
        if (mask[t] !== 1) continue;
        const kl = klEstimate(estimator, logProbs[i][k][t], referenceLogProbs[i][k][t]);
        less[t] = rewards[t] - beta * kl;
        sum += kl;
        count++;
      }
      return { mask, rewards: less };
    });
    if (count > 0) meanKl += sum / count / episodes.length;
    return { group: episode.group, steps };
  });
  return { episodes: penalised, meanKl };
}

export interface KlController {
  /** KL in nats a token that β steers towards. */
  readonly target: number;
  /** Samples over which β may change by a fifth. */
  readonly horizon: number;
}

/** β after an update that used `samples` samples and measured `kl`. */
export function adaptBeta(beta: number, kl: number, samples: number, { target, horizon }: KlController): number {
  return beta * (1 + (clamp(kl / target - 1, 0.2) * samples) / horizon);
}
