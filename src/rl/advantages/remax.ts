/**
 * ReMax: the baseline is what the greedy policy earns on the same task.
 *
 *   A_t = Σ_{t' ≥ t} r_t' − s_greedy
 *
 * Li et al. 2023 (arXiv 2310.10505). Keeps: reward-to-go without discount, so a late reward is early tokens' credit.
 * Drops: groups and whitening. Costs one greedy rollout a task, which must use the tools as the sampled ones do.
 */
import { tokenColumns, type Episode, type TokenColumns } from '../episodes/episode';
import { tokenReturns } from '../episodes/returns';

/** @param greedyRewards score of the greedy rollout of each episode's task [episodes] */
export function remax(episodes: readonly Episode[], greedyRewards: readonly number[]): TokenColumns {
  const returns = tokenReturns(episodes, { gamma: 1 });
  return tokenColumns(episodes, (i, k, t) => returns[i][k][t] - greedyRewards[i]);
}
