/**
 * OPO: the baseline that minimises the variance of the gradient, if the gradient of an episode grows with its length.
 *
 *   A_i = s_i − Σ_j l_j s_j / Σ_j l_j        l = agent tokens of an episode, sums over its group
 *
 * Hao et al. 2025 (arXiv 2505.23585). Keeps: the optimal baseline. Drops: any scale, and the paper's demand for exactly
 * on-policy updates, which is the trainer's to meet. A group of one keeps its score; a group without agent tokens has
 * nothing to credit.
 */
import { groupMembers, spread } from '../episodes/groups';

/** A group with equal scores gives exactly 0. */
export function opoAdvantages(
  scores: readonly number[],
  lengths: readonly number[],
  groups: readonly unknown[],
): Float64Array {
  const advantages = new Float64Array(scores.length);
  for (const group of groupMembers(groups).values()) {
    const values = group.map((i) => scores[i]);
    const tokens = group.reduce((sum, i) => sum + lengths[i], 0);
    if (group.length === 1) advantages[group[0]] = scores[group[0]];
    if (group.length === 1 || tokens === 0 || spread(values).std === 0) continue;
    const baseline = group.reduce((sum, i) => sum + lengths[i] * scores[i], 0) / tokens;
    for (const i of group) advantages[i] = scores[i] - baseline;
  }
  return advantages;
}
