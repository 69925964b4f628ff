/**
 * Filters of groups: the update learns from those whose rewards differ most.
 *
 *   score of a group = unbiased standard deviation of its rewards, 0 for a group of one
 *   top-p-linear     the best groups until their scores reach value · Σ scores
 *   top-p-softmax    the same over softmax(scores)
 *   top-k-share      the best ⌊value · groups⌋, at least one
 *   top-k            a number of groups
 *   min-p            groups whose score is at least value · the best score
 *
 * RAGEN (arXiv 2504.20073), uncertainty-based filtering.
 */
import type { Trajectory } from '../../agent/types';
import { sum } from '../../lib/mean';
import { exp } from '../../lib/portable-math';
import { groupMembers, meanAndStd } from '../../algorithms/episodes/groups';

/** Scores up to this are the rounding of equal rewards. */
const noSpread = 1e-10;
/** Subtracted from the threshold of top-p-linear, since scores may miss their sum by rounding. */
const slack = 0.01;

export interface RolloutFilter {
  readonly strategy: 'top-p-linear' | 'top-p-softmax' | 'top-k-share' | 'top-k' | 'min-p';
  /** Share of the scores, share of the groups, number of groups, or share of the best score. */
  readonly value: number;
  /** Whether groups of equal rewards may be kept. */
  readonly includeZero: boolean;
}

/** Indices of the groups to keep, in their order. @param groups rewards of each group, at least one */
export function keptGroups(
  groups: readonly (readonly number[])[],
  { strategy, value, includeZero }: RolloutFilter,
): number[] {
  const scores = groups.map((rewards) => meanAndStd(rewards).std);
  const left = scores.flatMap((score, i) => (includeZero || score > noSpread ? [i] : []));
  const best = left.toSorted((a, b) => scores[b] - scores[a] || a - b);
  const spreads = best.map((i) => scores[i]);
  return choose().sort((a, b) => a - b);

  function choose(): number[] {
    switch (strategy) {
      case 'top-k':
        return best.slice(0, value);
      case 'top-k-share':
        return best.slice(0, Math.max(1, Math.floor(value * best.length)));
      case 'min-p':
        return best.filter((i) => scores[i] >= value * scores[best[0]]);
      case 'top-p-linear':
        return value >= 1 ? best : reach(spreads, slack);
      case 'top-p-softmax':
        return value >= 1 ? best : reach(softmax(spreads), 0);
    }
  }

  /** The first groups of `best` whose weights together reach their share; none if all together do not. */
  function reach(weights: readonly number[], less: number): number[] {
    const threshold = value * sum(weights) - less;
    let reached = 0;
    let count = 0;
    while (count < weights.length && reached < threshold && weights[count] > 0) reached += weights[count++];
    return reached < threshold ? [] : best.slice(0, count);
  }
}

function softmax(scores: readonly number[]): number[] {
  const powers = scores.map((score) => exp(score - Math.max(...scores)));
  const total = sum(powers);
  return powers.map((power) => power / total);
}

/** DAPO's dynamic sampling: the groups whose rewards are not all equal, in order of first appearance. */
export function groupsWithSignal(rollouts: readonly Pick<Trajectory, 'group' | 'reward'>[]): number[] {
  const members = [...groupMembers(rollouts.map(({ group }) => group))];
  const differ = (own: readonly number[]) => own.some((i) => rollouts[i].reward !== rollouts[own[0]].reward);
  return members.filter(([, own]) => differ(own)).map(([group]) => group);
}
