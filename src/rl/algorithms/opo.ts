/**
 * OPO: the group's baseline is its mean weighted by length, which minimises the gradient's variance if long rollouts
 * have long gradients.
 *
 *   A_i = R_i − Σ_j l_j R_j / Σ_j l_j        l = agent tokens, sums over the group
 *
 * Hao et al. 2025 (arXiv 2505.23585). Keeps: the baseline, and the demand for exactly on-policy updates: one epoch of
 * one mini-batch. Drops: nothing. A group of one keeps its reward; a group without agent tokens gets no credit.
 */
import { creditedTokens } from '../episodes/episode';
import { groupMembers, meanAndStd } from '../episodes/groups';
import { perEpisode, type Algorithm } from './algorithm';

export const opo: Algorithm = {
  title: 'OPO',
  loss: 'clip',
  defaults: { algorithm: { epochs: 1, miniBatches: 1 } },
  columns: [
    {
      name: 'OPO',
      short: 'OPO',
      formula: 's − length-weighted mean',
      about: 'Against a mean in which longer rollouts weigh more, which keeps the gradient’s variance least.',
      kind: 'group',
    },
  ],
  estimate: (input) => perEpisode(input, opoAdvantages(input.scores, input.episodes.map(creditedTokens), input.groups)),
};

/** A group with equal scores gives exactly 0. */
export function opoAdvantages(
  scores: readonly number[],
  lengths: readonly number[],
  groups: readonly unknown[],
): Float64Array {
  const advantages = new Float64Array(scores.length);
  for (const group of groupMembers(groups).values()) {
    const tokens = group.reduce((sum, i) => sum + lengths[i], 0);
    if (group.length === 1) advantages[group[0]] = scores[group[0]];
    if (group.length === 1 || tokens === 0 || meanAndStd(group.map((i) => scores[i])).std === 0) continue;
    const baseline = group.reduce((sum, i) => sum + lengths[i] * scores[i], 0) / tokens;
    for (const i of group) advantages[i] = scores[i] - baseline;
  }
  return advantages;
}
