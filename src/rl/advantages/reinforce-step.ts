/**
 * REINFORCE over steps: the plain return of each step, no critic.
 *
 *   R_k = Σ_t r_t        G_k = R_k + γ G_{k+1}        A_k = (G_k − mean(G)) / (std(G) + 1e-8)        over all steps of
 *   the batch
 *
 * Williams 1992; over steps as Agent-R1 (arXiv 2511.14460) has it, where papers' tables also call it REINFORCE++.
 * Keeps: γ spent per step, statistics over steps, a step without agent tokens as a step. Drops: any baseline that
 * depends on the task or the state: the mean of the batch is the only one, so an easy task looks good and a hard one
 * bad whatever was done.
 */
import { tokenColumns, type Episode, type TokenColumns } from '../episodes/episode';
import { stepReturns } from '../episodes/returns';
import { whitenSteps } from '../episodes/whiten';

/** Advantages and unwhitened returns, the same for every agent token of a step. */
export function reinforceStep(
  episodes: readonly Episode[],
  gamma: number,
): { advantages: TokenColumns; returns: TokenColumns } {
  const returns = stepReturns(episodes, gamma);
  const whitened = whitenSteps(returns);
  return {
    advantages: tokenColumns(episodes, (i, k) => whitened[i][k]),
    returns: tokenColumns(episodes, (i, k) => returns[i][k]),
  };
}
