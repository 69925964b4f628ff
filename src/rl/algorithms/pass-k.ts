/**
 * Pass@k advantages: only the best episode of a group learns, by how far it leads.
 *
 *   A_best = (s_max − s_second) / (std(s) + ε)        all others 0        std unbiased, ε = 1e-6
 *
 * Tang et al. 2025 (arXiv 2503.19595), for k = group size, in the normalised form trainers know as GRPO pass@k.
 * Keeps: the group's deviation as the scale. Drops: learning from failures; a group of one, which has no second, gives
 * 0.
 */
import { groupMembers, spread } from '../episodes/groups';

const epsilon = 1e-6;

export function passKAdvantages(scores: readonly number[], groups: readonly unknown[]): Float64Array {
  const advantages = new Float64Array(scores.length);
  for (const group of groupMembers(groups).values()) {
    if (group.length < 2) continue;
    const [best, second] = group.toSorted((a, b) => scores[b] - scores[a]);
    advantages[best] = (scores[best] - scores[second]) / (spread(group.map((i) => scores[i])).std + epsilon);
  }
  return advantages;
}
