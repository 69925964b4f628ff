/**
 * REINFORCE++-baseline: the reward minus its group's mean, whitened over the tokens of the whole batch.
 *
 *   A = whiten(R − mean(R))        a group of one keeps R
 *
 * Hu et al. 2025 (arXiv 2501.03262), formulas in advantages/reinforce-plus-plus.ts. Keeps: a scale that the whole batch
 * decides, and k2 KL in the loss. Drops: nothing. Whitening shifts groups with equal rewards off 0, unless all groups
 * are such.
 */
import { tokenColumns } from '../episodes/episode';
import { groupAdvantages } from '../advantages/grpo';
import { whitenTokens } from '../episodes/whiten';
import type { Algorithm } from './algorithm';

export const reinforcePpBaseline: Algorithm = {
  title: 'REINFORCE++-baseline',
  kind: 'clip',
  sequence: 'segment',
  critic: null,
  greedyBaseline: false,
  defaults: { algorithm: { klCoefficient: 0.001, klPlace: 'loss', klEstimator: 'k2' } },
  estimate({ episodes, scores, groups }) {
    const centred = groupAdvantages(scores, groups, false);
    const columns = tokenColumns(episodes, (i) => centred[i]);
    return { advantages: whitenTokens(episodes, columns) };
  },
};
