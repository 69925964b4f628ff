/**
 * Group-relative advantages: an episode is judged against the other episodes of its task.
 *
 *   GRPO       A_i = (s_i − mean(s)) / (std(s) + ε)        std unbiased, ε = 1e-6
 *   Dr. GRPO   A_i = s_i − mean(s)
 *
 * Shao et al. 2024 (arXiv 2402.03300), section 4.1, outcome supervision; Liu et al. 2025 (arXiv 2503.20783): dividing
 * by std favours tasks that are nearly always or nearly never solved.
 * Keeps: a group of one keeps its score (mean 0, std 1). Drops: process supervision; a step's rewards count in its
 * episode's score.
 */
import { assert } from '../../lib/assert';
import { groupMembers, spread } from '../episodes/groups';

const epsilon = 1e-6;

/**
 * Members of a group need not be adjacent. A group with equal scores gives exactly 0, whatever their rounding.
 * @returns one advantage per score. [N]
 */
export function groupAdvantages(
  scores: readonly number[],
  groups: readonly unknown[],
  normalizeStd: boolean,
): Float64Array {
  assert(
    scores.length === groups.length,
    `expected one group label per score, got ${groups.length} for ${scores.length}.`,
  );
  const advantages = new Float64Array(scores.length);
  for (const group of groupMembers(groups).values()) {
    const values = group.map((i) => scores[i]);
    const relative = values.length === 1 ? { mean: 0, std: 1 } : spread(values);
    if (relative.std === 0) continue;
    const scale = normalizeStd ? relative.std + epsilon : 1;
    for (const i of group) advantages[i] = (scores[i] - relative.mean) / scale;
  }
  return advantages;
}
