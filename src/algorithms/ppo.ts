/**
 * PPO: a critic says what to expect before each token, and generalized advantage estimation (token-gae.ts) how much
 * better it went.
 *
 *   δ_t = r_t + γ V_{t+1} − V_t        A_t = δ_t + γ λ A_{t+1}, whitened over the batch's tokens
 *   return_t = A_t + V_t, unwhitened
 *   L = clipped loss + coefficient · ½ max((V − return)², (clamp(V, V_old ± clip) − return)²)
 *
 * Schulman et al. 2017 (arXiv 1707.06347). With `gaeAcross: episode` the sum runs on through all steps, over the
 * environment's tokens as if they were not there. With `step` every step is an episode of its own.
 * Defaults: λ = 1 and a critic of its own, as in verl. The critic learns alone for at most four iterations, and no
 * longer than until it explains enough. `critic.warmup` counts those iterations; verl's `critic_warmup` n gives n − 1.
 * Keeps: value clipping, values of the weights that sampled, 0 after the last token. Drops: nothing.
 */
import { assert } from '../lib/assert';
import { whitenTokens } from './episodes/whiten';
import type { Algorithm } from './algorithm';
import { tokenGae } from './token-gae';

export const ppo: Algorithm = {
  title: 'PPO',
  loss: 'clip',
  critic: 'token',
  defaults: { algorithm: { lambda: 1 }, critic: { network: 'separate' } },
  columns: [
    {
      name: 'Token GAE across steps',
      short: 'GAE',
      formula: 'Σ (γλ)ᵗ δ over tokens of the episode',
      about: 'How much better each token did than the critic expected, later steps included.',
      kind: 'critic',
      byTokens: true,
      settings: { gaeAcross: 'episode' },
    },
    {
      name: 'Token GAE within a step',
      short: 'GAE/step',
      formula: 'Σ (γλ)ᵗ δ over tokens of the step, which hears of no later reward',
      about: 'The same, but a step gets no credit for rewards of later steps.',
      kind: 'critic',
      byTokens: true,
      settings: { gaeAcross: 'step' },
    },
  ],
  estimate({ episodes, values }, settings) {
    assert(values, 'PPO needs the values of a critic');
    const { advantages, returns } = tokenGae(episodes, values, settings);
    return { advantages: whitenTokens(episodes, advantages), returns };
  },
};
