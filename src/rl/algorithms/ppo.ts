/**
 * PPO: a critic says what to expect before each token, and generalized advantage estimation says how much better it
 * went.
 *
 *   δ_t = r_t + γ V_{t+1} − V_t        A_t = δ_t + γ λ A_{t+1}, whitened over the batch's tokens        return_t = A_t
 *   + V_t, unwhitened L   = clipped loss + coefficient · ½ max((V − return)², (clamp(V, V_old ± clip) − return)²)
 *
 * Schulman et al. 2017 (arXiv 1707.06347); formulas in advantages/token-gae.ts. With `gaeAcross: episode` the sum runs
 * on through all steps, over the environment's tokens as if they were not there: token GAE across steps. With `step`
 * every step is an episode of its own, as for trainers that take a step's row for one.
 * Keeps: value clipping, values of the weights that sampled, 0 after the last token. Drops: nothing.
 */
import { assert } from '../../lib/assert';
import { tokenGae } from './token-gae';
import type { Algorithm } from './algorithm';

export const ppo: Algorithm = {
  title: 'PPO',
  kind: 'clip',
  sequence: 'segment',
  critic: 'token',
  greedyBaseline: false,
  defaults: {},
  estimate({ episodes, values }, { algorithm }) {
    assert(values, 'PPO needs the values of a critic');
    return tokenGae(episodes, values, {
      gamma: algorithm.gamma,
      lambda: algorithm.lambda,
      across: algorithm.gaeAcross,
    });
  },
};
