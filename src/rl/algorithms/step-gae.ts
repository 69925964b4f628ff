/**
 * Generalized advantage estimation over steps: a whole response is one action. Walking an episode's steps from last to
 * first,
 *
 *   R_k = Σ_t r_t        δ_k = R_k + γ V(s_{k+1}) − V(s_k)        A_k = δ_k + γ λ A_{k+1}        return_k = A_k +
 *   V(s_k)
 *
 * then A is whitened over the steps of the batch and every token of a step carries its step's A. Agent-R1 (arXiv
 * 2511.14460), where the step is the unit of the MDP; with a sequence-ratio loss it is StepPO, also called PSPO
 * (PaperScout). Keeps: γ and λ spent per step, V(s_k) read before the step's first token, statistics over steps, not
 * tokens: a short answer weighs as much as a long one. A step without agent tokens is still a step. Drops: credit that
 * differs between tokens of one step, and the optional division of rewards by a running deviation of returns.
 */
import { assert } from '../../lib/assert';
import { stepReward, tokenColumns, type Episode, type TokenColumns, type TokenInputs } from '../episodes/episode';
import { whitenSteps } from '../episodes/whiten';

export interface StepGae {
  readonly advantages: TokenColumns;
  readonly returns: TokenColumns;
  /** [episodes][steps], unwhitened. */
  readonly stepAdvantages: readonly (readonly number[])[];
  /** What the critic is trained towards at the first position of each step. [episodes][steps] */
  readonly stepReturns: readonly (readonly number[])[];
}

/** @param values the critic's estimates; only the first of each step is read, so every step needs one */
export function stepGae(
  episodes: readonly Episode[],
  values: TokenInputs,
  { gamma, lambda }: { readonly gamma: number; readonly lambda: number },
): StepGae {
  const stepReturns: number[][] = episodes.map(({ steps }) => steps.map(() => 0));
  const stepAdvantages = episodes.map(({ steps }, i) => {
    const advantages = steps.map(() => 0);
    let sum = 0;
    let nextValue = 0;
    for (let k = steps.length - 1; k >= 0; k--) {
      const value = values[i][k][0];
      assert(value !== undefined, `step ${k} of episode ${i} has no value before its first token.`);
      sum = stepReward(steps[k]) + gamma * nextValue - value + gamma * lambda * sum;
      advantages[k] = sum;
      stepReturns[i][k] = sum + value;
      nextValue = value;
    }
    return advantages;
  });
  const whitened = whitenSteps(stepAdvantages);
  return {
    advantages: tokenColumns(episodes, (i, k) => whitened[i][k]),
    returns: tokenColumns(episodes, (i, k) => stepReturns[i][k]),
    stepAdvantages,
    stepReturns,
  };
}
