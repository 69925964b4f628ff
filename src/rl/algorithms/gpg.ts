/**
 * GPG: the plain policy gradient with a group mean as baseline and a factor that makes up for rollouts that earned
 * nothing.
 *
 *   A_i = B / #(R ≠ 0) · (R_i − mean(R))        L = −A log π
 *
 * Chu et al. 2025 (arXiv 2504.02546), formulas in advantages/gpg.ts. Keeps: no clip, no ratio, no reference, one update
 * a batch. Drops: the paper's resampling of groups that are all right or all wrong.
 */
import { tokenColumns } from '../episodes/episode';
import { gpgAdvantages } from '../advantages/gpg';
import type { Algorithm } from './algorithm';

export const gpg: Algorithm = {
  title: 'GPG',
  kind: 'reinforce',
  sequence: 'segment',
  critic: null,
  greedyBaseline: false,
  defaults: { algorithm: { epochs: 1, miniBatches: 1 } },
  estimate({ episodes, scores, groups }) {
    const advantages = gpgAdvantages(scores, groups);
    return { advantages: tokenColumns(episodes, (i) => advantages[i]) };
  },
};
