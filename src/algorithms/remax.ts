/**
 * ReMax: the baseline of a task is what the greedy policy earns on it.
 *
 *   A_t = Σ_{t' ≥ t} r_t' − R_greedy
 *
 * Li et al. 2023 (arXiv 2310.10505). Keeps: reward-to-go without discount, so a late reward is early tokens' credit;
 * one greedy rollout a task and iteration, with tools, by the weights that sampled. Drops: nothing; groups are not
 * compared, so a group of one will do.
 */
import { assert } from '../lib/assert';
import { tokenColumns } from './episodes/episode';
import { tokenReturns } from './episodes/returns';
import type { Algorithm } from './algorithm';

export const remax: Algorithm = {
  title: 'ReMax',
  variantOf: 'REINFORCE',
  loss: 'clip',
  greedyBaseline: true,
  columns: [
    {
      name: 'ReMax',
      short: 'ReMax',
      formula: 'reward-to-go − s of the greedy rollout',
      about: 'Reward minus what the greedy policy earned on the same task.',
      kind: 'return',
    },
  ],
  estimate({ episodes, greedyScores }) {
    assert(greedyScores, 'ReMax needs the scores of greedy rollouts');
    const returns = tokenReturns(episodes, 1);
    return { advantages: tokenColumns(episodes, (i, k, t) => returns[i][k][t] - greedyScores[i]) };
  },
};
