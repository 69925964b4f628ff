/**
 * REINFORCE over steps: the return of each step, whitened over the steps of the batch, and the plain policy gradient.
 *
 *   R_k = Σ_t r_t        G_k = R_k + γ G_{k+1}        A_k = (G_k − mean(G)) / (std(G) + 1e-8)        L = −A log π
 *
 * Williams 1992; over steps as Agent-R1 (arXiv 2511.14460) has it, where tables also call it REINFORCE++.
 * Keeps: γ per step, statistics over steps, a step without agent tokens as a step; no clip, one update a batch. Drops:
 * every baseline but the batch's mean, so an easy task looks good and a hard one bad whatever was done.
 */
import { tokenColumns } from './episodes/episode';
import { stepReturns } from './episodes/returns';
import { whitenSteps } from './episodes/whiten';
import type { Algorithm } from './algorithm';

export const reinforce: Algorithm = {
  title: 'REINFORCE',
  loss: 'reinforce',
  defaults: { algorithm: { epochs: 1, miniBatches: 1 } },
  columns: [
    {
      name: 'REINFORCE over steps',
      short: 'RF step',
      formula: 'whiten(G), G per step',
      about: 'Reward from each step on, whitened over all steps of the batch. Groups play no part.',
      kind: 'return',
    },
  ],
  estimate({ episodes }, { gamma }) {
    const whitened = whitenSteps(stepReturns(episodes, gamma));
    return { advantages: tokenColumns(episodes, (i, k) => whitened[i][k]) };
  },
};
