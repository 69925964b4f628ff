/**
 * Bi-level GAE: credit travels between turns first, with a discount of its own, then inside each turn; PPO's loss and
 * critic.
 *
 *   over turns    A_k = δ_k + γ_turn λ A_{k+1}, which replaces the reward of the turn's last token: r := A_k + V
 *   over tokens   token GAE inside each turn, whitened over the batch
 *
 * RAGEN (arXiv 2504.20073) and VAGEN; formulas in advantages/bi-level-gae.ts. Keeps: both levels and one λ for both.
 * Drops: finding the ends of turns by their rewards; they are known.
 */
import { assert } from '../../lib/assert';
import { biLevelGae } from '../advantages/bi-level-gae';
import type { Algorithm } from './algorithm';
import { ppo } from './ppo';

export const biLevelPpo: Algorithm = {
  ...ppo,
  title: 'Bi-level GAE',
  defaults: { algorithm: { turnGamma: 0.95 } },
  estimate({ episodes, values }, { algorithm }) {
    assert(values, 'bi-level GAE needs the values of a critic');
    return biLevelGae(episodes, values, algorithm);
  },
};
