/**
 * REINFORCE over steps: the return of each step, whitened over the steps of the batch, and the plain policy gradient.
 *
 *   G_k = R_k + γ G_{k+1}        A_k = (G_k − mean(G)) / (std(G) + 1e-8)        L = −A log π
 *
 * Williams 1992; over steps as Agent-R1 (arXiv 2511.14460) has it, formulas in advantages/reinforce-step.ts.
 * Keeps: no clip, one update a batch. Drops: every baseline but the batch's mean.
 */
import { reinforceStep } from '../advantages/reinforce-step';
import type { Algorithm } from './algorithm';

export const reinforce: Algorithm = {
  title: 'REINFORCE',
  kind: 'reinforce',
  sequence: 'segment',
  critic: null,
  greedyBaseline: false,
  defaults: { algorithm: { epochs: 1, miniBatches: 1 } },
  estimate: ({ episodes }, { algorithm }) => ({ advantages: reinforceStep(episodes, algorithm.gamma).advantages }),
};
