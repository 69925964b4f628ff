/** At the end of a run the tasks that it still fails at come last in the list, and are named apart. */
import { expect, it } from 'vitest';
import type { RolloutView } from '../../src/rl/rollouts/view';
import { choose } from '../../src/presentation/rollout-list';
import { failingTasks } from '../../src/share/rollout-groups';

/** A group of the last step: `1` for each rollout that succeeds. */
const group = (number: number, outcomes: string): RolloutView[] =>
  [...outcomes].map((outcome, i) => ({
    iteration: 40,
    index: 10 * number + i,
    group: number,
    taskId: `t${number}`,
    prompt: `p${number}`,
    reward: Number(outcome),
    advantage: 0,
    success: outcome === '1',
    end: 'answer',
    steps: [],
  }));

const rollouts = [
  ...group(0, '1111'),
  ...group(1, '0100'),
  ...group(2, '0000'),
  ...group(3, '1101'),
  ...group(4, '0011'),
];
const choice = { filter: 'all', sortByReward: false, groupByTask: false, search: '', iteration: 40 } as const;
const groupsOf = (list: readonly RolloutView[]) => [...new Set(list.map((each) => each.group))];

it('names the tasks at which most rollouts fail, those that fail most often first', () => {
  expect(failingTasks(rollouts).map(({ rollout, failed, count }) => [rollout.index, failed, count])).toEqual([
    [20, 4, 4],
    [10, 3, 4],
  ]);
  expect(failingTasks([])).toEqual([]);
});

it('lists them last at the end of a run, and by spread alone while it learns', () => {
  expect(groupsOf(choose(rollouts, choice))).toEqual([4, 1, 3, 0, 2]);
  expect(groupsOf(choose(rollouts, { ...choice, failingLast: true }))).toEqual([4, 3, 0, 1, 2]);
});
