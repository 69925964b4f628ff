/**
 * REINFORCE++: token returns with the KL of each token in its reward, whitened over the whole batch, and PPO's clipped
 * loss.
 *
 *   r_t := r_t − klCoefficient · k1        G_t = r_t + γ G_{t+1}        A = whiten(G)        over the agent's tokens
 *
 * Hu et al. 2025 (arXiv 2501.03262). Keeps: KL in the reward (rewards/kl-penalty.ts), γ per agent token, a reward
 * reaches every earlier turn, the batch as baseline. Drops: groups, so one rollout a task will do. The mistake
 * `creditReset` starts the sum anew at environment tokens, as published trainers did.
 */
import { tokenReturns } from './episodes/returns';
import { whitenTokens } from './episodes/whiten';
import type { Algorithm } from './algorithm';

export const reinforcePp: Algorithm = {
  title: 'REINFORCE++',
  loss: 'clip',
  defaults: { algorithm: { klCoefficient: 0.001, klPlace: 'reward', klEstimator: 'k1' } },
  columns: [
    {
      name: 'REINFORCE++',
      short: 'RF++',
      formula: 'whiten(G), G per token',
      about: 'Reward from each token on, whitened over all tokens of the batch. Groups play no part.',
      kind: 'return',
      byTokens: true,
    },
  ],
  estimate({ episodes }, { gamma, creditReset }) {
    return { advantages: whitenTokens(episodes, tokenReturns(episodes, gamma, creditReset)) };
  },
};
