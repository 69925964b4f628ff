/**
 * REINFORCE++: token returns with the KL of each token in its reward, whitened over the whole batch, and PPO's clipped
 * loss.
 *
 *   r_t := r_t − klCoefficient · k1        G_t = r_t + γ G_{t+1}        A = whiten(G)        over all agent tokens of
 *   the batch
 *
 * Hu et al. 2025 (arXiv 2501.03262), formulas in advantages/reinforce-plus-plus.ts. Keeps: KL in the reward, the batch
 * as baseline. Drops: nothing. The mistake `creditReset` starts the sum anew at environment tokens, as published
 * trainers did.
 */
import { reinforcePlusPlus } from '../advantages/reinforce-plus-plus';
import type { Algorithm } from './algorithm';

export const reinforcePp: Algorithm = {
  title: 'REINFORCE++',
  kind: 'clip',
  sequence: 'segment',
  critic: null,
  greedyBaseline: false,
  defaults: { algorithm: { klCoefficient: 0.001, klPlace: 'reward', klEstimator: 'k1' } },
  estimate({ episodes }, { algorithm, mistakes }) {
    const { advantages } = reinforcePlusPlus(episodes, {
      gamma: algorithm.gamma,
      resetAtEnvironment: mistakes.creditReset,
    });
    return { advantages };
  },
};
