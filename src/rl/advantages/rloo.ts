/**
 * REINFORCE leave-one-out: the baseline of an episode is the mean score of the others of its group.
 *
 *   A_i = s_i − 1/(n−1) Σ_{j≠i} s_j = n/(n−1) · (s_i − mean(s))
 *
 * Kool et al. 2019; Ahmadian et al. 2024 (arXiv 2402.14740).
 * Keeps: an unbiased baseline, which GRPO's, containing its own score, is not. Drops: any scale. A group of one keeps
 * its score.
 */
import { groupMembers, spread } from '../episodes/groups';

/** A group with equal scores gives exactly 0. */
export function rlooAdvantages(scores: readonly number[], groups: readonly unknown[]): Float64Array {
  const advantages = new Float64Array(scores.length);
  for (const group of groupMembers(groups).values()) {
    const n = group.length;
    const { mean } = spread(group.map((i) => scores[i]));
    for (const i of group) advantages[i] = n === 1 ? scores[i] : (n / (n - 1)) * (scores[i] - mean);
  }
  return advantages;
}
