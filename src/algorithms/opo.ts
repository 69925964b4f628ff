/**
 * OPO: the group's baseline is its mean weighted by length, which minimises the gradient's variance if long rollouts
 * have long gradients.
 *
 *   A_i = R_i − Σ_j l_j R_j / Σ_j l_j        l = agent tokens, sums over the group
 *
 * Hao et al. 2025 (arXiv 2505.23585). Keeps: the baseline, and the demand for exactly on-policy updates: one epoch of
 * one mini-batch. Drops: nothing. A group of one keeps its reward; a group without agent tokens gets no credit.
 */
import { creditedTokens } from './episodes/episode';
import { meanAndStd, perGroup } from './episodes/groups';
import { perEpisode, type Algorithm } from './algorithm';

export const opo: Algorithm = {
  title: 'OPO',
  variantOf: 'GRPO',
  loss: 'clip',
  defaults: { algorithm: { epochs: 1, miniBatches: 1 } },
  columns: [
    {
      name: 'OPO',
      short: 'OPO',
      formula: 's − length-weighted mean',
      about: 'Reward minus a mean in which longer rollouts weigh more, which makes the gradient’s variance least.',
      kind: 'group',
      byTokens: true,
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
  return perGroup(scores, groups, (own, members) => {
    if (own.length === 1) return own;
    const tokens = members.reduce((sum, i) => sum + lengths[i], 0);
    if (tokens === 0 || meanAndStd(own).std === 0) return own.map(() => 0);
    const baseline = members.reduce((sum, i) => sum + lengths[i] * scores[i], 0) / tokens;
    return own.map((score) => score - baseline);
  });
}
