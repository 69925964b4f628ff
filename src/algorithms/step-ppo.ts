/**
 * StepPO, also PSPO: the step is the unit of everything. GAE runs over steps (a whole response is one action), and one
 * ratio belongs to all tokens of a step's action.
 *
 *   R_k = Σ_t r_t        δ_k = R_k + γ V(s_{k+1}) − V(s_k)        A_k = δ_k + γ λ A_{k+1}
 *   A whitened over the batch's steps        return_k = A_k + V(s_k), unwhitened
 *   L = GSPO's loss with a step as sequence + value loss before the first token of each step
 *
 * Agent-R1 (arXiv 2511.14460) and PaperScout. Keeps: γ and λ per step, V(s_k) read and learned before the step's first
 * token only, statistics over steps: a short answer weighs as much as a long one. A step without agent tokens is still
 * a step. Drops: the papers' clip of 3e-4 and 4e-4, for the reason that gspo.ts gives, and dividing rewards by a
 * running deviation of returns.
 */
import { assert } from '../lib/assert';
import { stepReward, tokenColumns, type Episode, type TokenInputs } from './episodes/episode';
import { whitenSteps } from './episodes/whiten';
import type { Algorithm, AlgorithmSettings } from './algorithm';

export const stepPpo: Algorithm = {
  title: 'StepPO',
  loss: 'gspo',
  sequence: 'step',
  critic: 'step',
  defaults: {
    algorithm: { clipLow: 0.03, clipHigh: 0.04, aggregation: 'seq-mean-token-mean' },
    critic: { network: 'separate' },
  },
  columns: [
    {
      name: 'Step GAE',
      short: 'step GAE',
      formula: 'Σ (γλ)ᵏ δ over steps (StepPO, PSPO)',
      about: 'GAE with a step as the unit: its tokens share one advantage.',
      kind: 'critic',
    },
  ],
  estimate({ episodes, values }, settings) {
    assert(values, 'StepPO needs the values of a critic');
    const { advantages, returns } = stepGae(episodes, values, settings);
    const whitened = whitenSteps(advantages);
    return {
      advantages: tokenColumns(episodes, (i, k) => whitened[i][k]),
      returns: tokenColumns(episodes, (i, k) => returns[i][k]),
    };
  },
};

/**
 * Unwhitened advantages and returns of steps. [episodes][steps]
 * @param values the critic's estimates; only the first of each step is read, so every step needs one
 */
export function stepGae(
  episodes: readonly Episode[],
  values: TokenInputs,
  { gamma, lambda }: Pick<AlgorithmSettings, 'gamma' | 'lambda'>,
): { advantages: number[][]; returns: number[][] } {
  const advantages = episodes.map(({ steps }, i) => {
    const own = steps.map(() => 0);
    let sum = 0;
    let nextValue = 0;
    for (let k = steps.length - 1; k >= 0; k--) {
      const value = values[i][k][0];
      assert(value !== undefined, `step ${k} of episode ${i} has no value before its first token.`);
      own[k] = sum = stepReward(steps[k]) + gamma * nextValue - value + gamma * lambda * sum;
      nextValue = value;
    }
    return own;
  });
  return { advantages, returns: advantages.map((own, i) => own.map((advantage, k) => advantage + values[i][k][0])) };
}
