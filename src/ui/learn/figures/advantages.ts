/** Reading a comparison of estimators for the figure of advantages. Pure. */
import type { Comparison } from '../../../rl/diagnostics/comparison';
import type { RolloutView } from '../../../rl/rollouts/view';
import { sameGroup } from '../../rollouts/select';

/** Columns of the comparison by their heads. */
export const shownEstimators = ['GRPO', 'Dr.GRPO', 'RLOO'] as const;

/** The first group of a recorded run. */
export function firstGroup(rollouts: readonly RolloutView[]): RolloutView[] {
  return rollouts.filter((each) => sameGroup(each, rollouts[0])).sort((a, b) => a.index - b.index);
}

/** The rollouts with other rewards. */
export const withRewards = (group: readonly RolloutView[], rewards: readonly number[]): RolloutView[] =>
  group.map((each, i) => ({ ...each, reward: rewards[i] }));

/** [rollouts][estimators] */
export function advantagesOf({ columns }: Comparison, rollouts: number): number[][] {
  const shown = shownEstimators.map((name) => columns.find(({ short }) => short === name)?.credits);
  return Array.from({ length: rollouts }, (_, i) => shown.map((credits) => credits?.[i].whole?.mean ?? 0));
}
