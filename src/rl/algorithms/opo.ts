/**
 * OPO: the group's baseline is its mean weighted by length, which minimises the gradient's variance if long rollouts
 * have long gradients.
 *
 *   A_i = R_i − Σ_j l_j R_j / Σ_j l_j        l = agent tokens
 *
 * Hao et al. 2025 (arXiv 2505.23585), formulas in advantages/opo.ts. Keeps: the baseline and the demand for exactly
 * on-policy updates: one epoch of one mini-batch. Drops: nothing.
 */
import { creditedTokens, tokenColumns } from '../episodes/episode';
import { opoAdvantages } from '../advantages/opo';
import type { Algorithm } from './algorithm';

export const opo: Algorithm = {
  title: 'OPO',
  kind: 'clip',
  sequence: 'segment',
  critic: null,
  greedyBaseline: false,
  defaults: { algorithm: { epochs: 1, miniBatches: 1 } },
  estimate({ episodes, scores, groups }) {
    const advantages = opoAdvantages(scores, episodes.map(creditedTokens), groups);
    return { advantages: tokenColumns(episodes, (i) => advantages[i]) };
  },
};
