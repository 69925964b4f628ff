/** Beside the rollouts of a task stands what the run's own algorithm compares them with. */
import { expect, test } from 'vitest';
import { algorithmNames, aboutAlgorithms, algorithms } from '../../src/algorithms/table';
import { groupWords } from '../../src/presentation/rollout-text';

const rollouts = (...rewards: number[]) => rewards.map((reward) => ({ reward, advantage: reward - 0.5 }));

test.each(algorithmNames())('%s says what it compares a reward with', (name) => {
  const words = groupWords(rollouts(0, 1), aboutAlgorithms()[name].baseline);
  expect(words).toBe(`The dashed line is the average. ${algorithms[name].title}: ${algorithms[name].columns[0].about}`);
});

test('the average alone is described where the algorithm is not known', () => {
  expect(groupWords(rollouts(0, 1))).toBe('The dashed line is the average.');
});

test('equal rewards teach nothing only where all advantages are 0', () => {
  expect(groupWords([{ reward: 1, advantage: 0 }], aboutAlgorithms().grpo.baseline)).toContain('nothing to learn');
  expect(groupWords(rollouts(1, 1), aboutAlgorithms().ppo.baseline)).toBe('All rollouts scored the same.');
});
