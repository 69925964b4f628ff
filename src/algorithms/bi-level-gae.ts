/**
 * Bi-level GAE: credit travels between turns first, with a discount of its own, then inside each turn; PPO's loss and
 * critic. With e_k the last agent token of turn k,
 *
 *   over turns    δ_k = r(e_k) + γ_turn V(e_{k+1}) − V(e_k)      A_k = δ_k + γ_turn λ A_{k+1}
 *                 r(e_k) := A_k + V(e_k)
 *   over tokens   token GAE inside each turn with γ and the same λ, whitened over the batch
 *
 * RAGEN (Wang et al. 2025, arXiv 2504.20073) and VAGEN. A turn is a step here; one without agent tokens is skipped.
 * Keeps: both levels. Drops: finding the ends of turns by their rewards, which fails where a turn earned nothing.
 */
import { assert } from '../lib/assert';
import type { Episode, TokenInputs } from './episodes/episode';
import { whitenTokens } from './episodes/whiten';
import type { Algorithm, AlgorithmSettings } from './algorithm';
import { ppo } from './ppo';
import { tokenGae } from './token-gae';

export const biLevelPpo: Algorithm = {
  ...ppo,
  title: 'PPO with bi-level GAE',
  variantOf: 'PPO',
  defaults: { algorithm: { turnGamma: 0.95 }, critic: { network: 'separate' } },
  columns: [
    {
      name: 'Bi-level GAE',
      short: 'bi-level',
      formula: 'GAE over turns, then inside each',
      about: 'GAE over turns first, then over the tokens of each.',
      kind: 'critic',
      byTokens: true,
    },
  ],
  estimate({ episodes, values }, settings) {
    assert(values, 'bi-level GAE needs the values of a critic');
    const { advantages, returns } = biLevelGae(episodes, values, settings);
    return { advantages: whitenTokens(episodes, advantages), returns };
  },
};

/** @param values the critic's estimate before each token */
export function biLevelGae(
  episodes: readonly Episode[],
  values: TokenInputs,
  { gamma, lambda, turnGamma }: Pick<AlgorithmSettings, 'gamma' | 'lambda' | 'turnGamma'>,
): ReturnType<typeof tokenGae> {
  const withTurnReturns = episodes.map((episode, i): Episode => {
    let sum = 0;
    let nextValue = 0;
    const steps = episode.steps.toReversed().map((step, fromEnd) => {
      const end = Array.from(step.mask).lastIndexOf(1);
      if (end === -1) return step;
      const value = values[i][episode.steps.length - 1 - fromEnd][end];
      sum = step.rewards[end] + turnGamma * nextValue - value + turnGamma * lambda * sum;
      nextValue = value;
      return { mask: step.mask, rewards: Float64Array.from(step.rewards).fill(sum + value, end, end + 1) };
    });
    return { group: episode.group, steps: steps.reverse() };
  });
  return tokenGae(withTurnReturns, values, { gamma, lambda, gaeAcross: 'step' });
}
