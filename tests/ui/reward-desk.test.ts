/** The groups of the reward desk: their order, what moved, and what its words say. */
import { expect, test } from 'vitest';
import type { Rescoring } from '../../src/rl/diagnostics/rescoring';
import type { RolloutView } from '../../src/rl/rollouts/view';
import { deskGroups } from '../../src/presentation/reward-desk';
import { stepsInWords } from '../../src/lib/sentences';

const rollout = (group: number, index: number): RolloutView =>
  ({ iteration: 3, index, group, taskId: `t${group}`, prompt: `task ${group}` }) as RolloutView;
const rollouts = [rollout(0, 0), rollout(0, 1), rollout(1, 2), rollout(1, 3)];

function rescoring(before: [number, number | null][], after: [number, number | null][], missing: string | null = null) {
  const scores = (pairs: [number, number | null][]) => pairs.map(([reward, advantage]) => ({ reward, advantage }));
  return { before: scores(before), after: scores(after), missing, terms: [], planned: 4 } satisfies Rescoring;
}

test('the group whose advantages moved most comes first, with each rollout before and after', () => {
  const groups = deskGroups(
    rollouts,
    rescoring(
      [
        [0, 0],
        [0, 0],
        [1, 0.7],
        [0, -0.7],
      ],
      [
        [2, 0.001],
        [0, 0],
        [0, -0.5],
        [1, 0.5],
      ],
    ),
  );
  expect(groups.map(({ prompt }) => prompt)).toEqual(['task 1', 'task 0']);
  expect(groups[0].movement).toBeCloseTo(1.2, 12);
  expect(groups[0].rows.map(({ key, reward, advantage }) => [key, reward, advantage])).toEqual([
    ['3/2', { before: '1.00', after: '0.00', tone: 'down' }, { before: '+0.70', after: '−0.50', tone: 'down' }],
    ['3/3', { before: '0.00', after: '1.00', tone: 'up' }, { before: '−0.70', after: '+0.50', tone: 'up' }],
  ]);
  const [first] = groups[1].rows;
  expect(first.reward).toEqual({ before: '0.00', after: '2.00', tone: 'up' });
  expect(first.advantage, 'what rounds to the same did not move').toEqual({
    before: '0.00',
    after: '0.00',
    tone: 'none',
  });
});

test('without advantages groups are ordered by their rewards, and equal movement keeps the order', () => {
  const none: [number, null] = [0, null];
  const moved = deskGroups(rollouts, rescoring([none, none, none, none], [none, none, [3, null], none], 'why'));
  expect(moved.map(({ prompt, movement }) => [prompt, movement])).toEqual([
    ['task 1', 3],
    ['task 0', 0],
  ]);
  expect(moved[0].rows[0].advantage).toBeNull();
  const still = deskGroups(rollouts, rescoring([none, none, none, none], [none, none, none, none], 'why'));
  expect(still.map(({ prompt }) => prompt)).toEqual(['task 0', 'task 1']);
});

test('steps in words', () => {
  expect(stepsInWords([4])).toBe('iteration 4');
  expect(stepsInWords([4, 9])).toBe('iterations 4 and 9');
  expect(stepsInWords([4, 9, 12])).toBe('iterations 4, 9 and 12');
});

test('a group moves by its advantages, not by its rewards; what had none begins at 0', () => {
  const before: [number, number | null][] = [
    [0, 0],
    [0, 0],
    [0, null],
    [0, 0],
  ];
  const after: [number, number | null][] = [
    [9, 0],
    [0, 0],
    [0, 1],
    [0, 0],
  ];
  const groups = deskGroups(rollouts, rescoring(before as never, after as never));
  expect(groups.map(({ prompt, movement }) => [prompt, movement])).toEqual([
    ['task 1', 1],
    ['task 0', 0],
  ]);
  expect(groups[0].rows.map(({ advantage }) => advantage)).toEqual([
    null,
    { before: '0.00', after: '0.00', tone: 'none' },
  ]);
});
