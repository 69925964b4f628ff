/**
 * REINFORCE++-baseline: the reward minus its group's mean, whitened over the tokens of the whole batch.
 *
 *   A = whiten(R − mean(R))        a group of one keeps R
 *
 * Hu et al. 2025 (arXiv 2501.03262). Keeps: a scale that the whole batch decides, token by token, so long episodes
 * weigh more in it; k2 KL in the loss. Drops: division by the group's deviation. Whitening moves groups with equal
 * rewards off 0, unless all groups are such.
 */
import { whitenTokens } from './episodes/whiten';
import { perEpisode, type Algorithm } from './algorithm';
import { groupAdvantages } from './grpo';

export const reinforcePpBaseline: Algorithm = {
  title: 'REINFORCE++ with baseline',
  variantOf: 'REINFORCE++',
  loss: 'clip',
  defaults: { algorithm: { klCoefficient: 0.001, klPlace: 'loss', klEstimator: 'k2' } },
  columns: [
    {
      name: 'REINFORCE++-baseline',
      short: 'RF++base',
      formula: 'whiten(s − mean)',
      about: 'Reward minus the mean of its group, then whitened over all tokens of the batch.',
      kind: 'group',
      byTokens: true,
    },
  ],
  estimate(input) {
    const centred = perEpisode(input, groupAdvantages(input.scores, input.groups, false));
    return { advantages: whitenTokens(input.episodes, centred.advantages) };
  },
};
