/**
 * ReMax: the baseline of a task is what the greedy policy earns on it.
 *
 *   A_t = Σ_{t' ≥ t} r_t' − R_greedy
 *
 * Li et al. 2023 (arXiv 2310.10505), formulas in advantages/remax.ts. Keeps: one greedy rollout a task and iteration,
 * with tools, by the weights that sampled. Drops: nothing; groups are not compared, so a group of one will do.
 */
import { remax as remaxAdvantages } from '../advantages/remax';
import { assert } from '../../lib/assert';
import type { Algorithm } from './algorithm';

export const remax: Algorithm = {
  title: 'ReMax',
  kind: 'clip',
  sequence: 'segment',
  critic: null,
  greedyBaseline: true,
  defaults: {},
  estimate({ episodes, greedyScores }) {
    assert(greedyScores, 'ReMax needs the scores of greedy rollouts');
    return { advantages: remaxAdvantages(episodes, greedyScores) };
  },
};
