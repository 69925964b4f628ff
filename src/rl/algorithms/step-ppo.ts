/**
 * StepPO, also PSPO: the step is the unit of everything. GAE runs over steps, and one ratio belongs to all tokens of a
 * step's action.
 *
 *   R_k = Σ_t r_t        δ_k = R_k + γ V(s_{k+1}) − V(s_k)        A_k = δ_k + γ λ A_{k+1}, whitened over the batch's
 *   steps L   = GSPO's loss with a step as sequence + value loss before the first token of each step
 *
 * Agent-R1 (arXiv 2511.14460) and PaperScout; formulas in advantages/step-gae.ts. Keeps: the critic learns before a
 * step's first token only. Drops: the papers' clip of 3e-4 and 4e-4, for the reason that gspo.ts gives, and dividing
 * rewards by a running deviation of returns.
 */
import { assert } from '../../lib/assert';
import { stepGae } from './step-gae';
import type { Algorithm } from './algorithm';

export const stepPpo: Algorithm = {
  title: 'StepPO',
  kind: 'gspo',
  sequence: 'step',
  critic: 'step',
  greedyBaseline: false,
  defaults: { algorithm: { clipLow: 0.03, clipHigh: 0.04, aggregation: 'seq-mean-token-mean' } },
  estimate({ episodes, values }, { algorithm }) {
    assert(values, 'StepPO needs the values of a critic');
    const { advantages, returns } = stepGae(episodes, values, algorithm);
    return { advantages, returns };
  },
};
