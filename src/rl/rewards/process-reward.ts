/**
 * Process rewards brought to one scale beside an outcome reward.
 *
 *   p_t / (M + 1e-6)        M = largest |Σ_{t' ≥ t} p_t'| of the batch
 *
 * Cui et al. 2025, PRIME (arXiv 2502.01456), whose estimator is in algorithms/rloo.ts.
 */
import { walkBack, withRewards, type Episode } from '../episodes/episode';

const epsilon = 1e-6;

/** Episodes whose rewards are divided by the largest absolute reward-to-go of the batch; no reward at all stays 0. */
export function scaleProcessRewards(episodes: readonly Episode[]): Episode[] {
  let largest = 0;
  for (const episode of episodes) {
    let sum = 0;
    walkBack(episode, (k, t) => {
      sum += episode.steps[k].rewards[t];
      largest = Math.max(largest, Math.abs(sum));
    });
  }
  return withRewards(episodes, (i, k, t) => episodes[i].steps[k].rewards[t] / (largest + epsilon));
}
