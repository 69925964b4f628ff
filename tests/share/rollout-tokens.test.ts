/** Where the rollouts of one task part. */
import { expect, test } from 'vitest';
import type { RolloutView, StepView } from '../../src/rl/rollouts/view';
import { distinct, divergence } from '../../src/share/rollout-tokens';

const step = (promptTokens: number[], tokens: number[]): StepView => ({
  promptTokens,
  continues: true,
  tokens,
  logProbs: [],
  entropies: [],
  advantages: [],
  lossMask: [],
  text: '',
  messages: [],
  toolCalls: [],
  rewards: {},
});
const rollout = (index: number, reward: number, steps: StepView[]): RolloutView => ({
  iteration: 1,
  index,
  group: 0,
  taskId: 't',
  prompt: '',
  reward,
  advantage: reward,
  success: false,
  end: 'answer',
  steps,
});
const of = (...group: RolloutView[]) => divergence(group, [], []);

const best = rollout(0, 1, [step([1, 2], [5, 6]), step([8], [7])]);
const middle = rollout(1, 0.5, [step([1, 2], [5, 6]), step([9], [7])]);
const worst = rollout(2, -1, [step([1, 2], [5, 9])]);

test('the best comes first, and the place is where the worst leaves it', () => {
  const { compared, parting } = of(worst, middle, best);
  expect(compared.map(({ rollout }) => rollout.index)).toEqual([0, 1, 2]);
  // From the agent's first token: 5 6 8 7, 5 6 9 7 and 5 9.
  expect(compared.map(({ shared }) => shared)).toEqual([4, 2, 1]);
  expect(parting).toBe(1);
});

test('a rollout that ends early parts at its end', () => {
  const short = rollout(3, -2, [step([1, 2], [5, 6])]);
  expect(of(best, short).parting).toBe(2);
});

test('equal rewards and equal tokens have no place', () => {
  expect(of(best, rollout(4, 1, [step([1, 2], [9])])).parting).toBeNull();
  expect(of(best, rollout(5, 0, best.steps as StepView[])).parting).toBeNull();
});

test('equal rollouts are listed once', () => {
  const twin = rollout(6, -1, worst.steps as StepView[]);
  expect(distinct(of(best, worst, twin)).map(({ one, times }) => [one.rollout.index, times])).toEqual([
    [0, 1],
    [2, 2],
  ]);
});
