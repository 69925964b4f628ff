/**
 * GPG: the group's mean as a baseline, and a factor that makes up for episodes that earned nothing.
 *
 *   A_i = α (s_i − mean(s))        α = B / number of episodes with s ≠ 0
 *
 * Chu et al. 2025 (arXiv 2504.02546), with the loss −A log π. Keeps: α over the whole batch, at least one episode
 * counted. Drops: division by the group's deviation, clipping and references. A group of one keeps α s.
 */
import { groupAdvantages } from './grpo';

export function gpgAdvantages(scores: readonly number[], groups: readonly unknown[]): Float64Array {
  const alpha = scores.length / Math.max(1, scores.filter((score) => score !== 0).length);
  return groupAdvantages(scores, groups, false).map((advantage) => alpha * advantage);
}
