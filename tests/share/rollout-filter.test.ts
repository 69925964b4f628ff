/** Filters of rollouts by an expression: what they mean, and what is said of those that cannot be read. */
import { expect, test } from 'vitest';
import type { RolloutView, StepView } from '../../src/rl/rollouts/view';
import { filterNames, parseFilter, suggest } from '../../src/share/rollout-filter';

const call = (name: string, error?: 'tool-error') => ({ name, arguments: {}, result: '', ...(error && { error }) });
const step = (more: Partial<StepView>): StepView => ({
  promptTokens: [],
  continues: false,
  tokens: [1, 2],
  logProbs: [],
  entropies: [],
  advantages: [],
  lossMask: [],
  text: '',
  messages: [],
  toolCalls: [],
  rewards: {},
  ...more,
});
const rollout = (index: number, reward: number, steps: StepView[], success = reward > 0): RolloutView => ({
  iteration: 3,
  index,
  group: 0,
  taskId: 't',
  prompt: '',
  reward,
  advantage: reward / 2,
  success,
  end: 'answer',
  steps,
});

const rollouts = [
  rollout(0, 1, [step({ rewards: { correct: 1 } })]),
  rollout(1, -0.3, [
    step({ toolCalls: [call('calc')], rewards: { calls: -0.1 } }),
    step({ toolCalls: [call('calc'), call('look-up')], rewards: { calls: -0.2 } }),
    step({}),
  ]),
  rollout(2, 0, [step({ toolCalls: [call('calc', 'tool-error')] })]),
];
const names = filterNames(rollouts);

function chosen(source: string): number[] | string {
  const { test, problem } = parseFilter(source, names);
  return test ? rollouts.filter(test).map(({ index }) => index) : `${problem.at}: ${problem.sentence}`;
}

test('names are the fields, then reward terms, then tools', () => {
  expect(names).toEqual([
    'reward',
    'advantage',
    'success',
    'turns',
    'tokens',
    'errors',
    'step',
    'calls',
    'correct',
    'calc',
    'look-up',
  ]);
});

test.each([
  ['reward < 0 and turns > 2', [1]],
  ['reward >= 0', [0, 2]],
  ['success', [0]],
  ['success = false', [1, 2]],
  ['not success and errors', [2]],
  ['errors > 0 or calc = 2', [1, 2]],
  ['calc', [1, 2]],
  ['look-up != 0', [1]],
  // The sum of a term over the turns, which rounds.
  ['calls = -0.3', [1]],
  ['calls = −.3', [1]],
  ['not (reward < 0 or success)', [2]],
  ['tokens == 2 and step=3', [0, 2]],
  ['TURNS>2 AND Reward<0', [1]],
  ['reward < 1e-1 and advantage > -1', [1, 2]],
])('%s', (source, expected) => expect(chosen(source)).toEqual(expected));

test('and binds closer than or', () => {
  expect(chosen('success or reward < 0 and turns = 1')).toEqual([0]);
});

test.each([
  ['reward <', '8: Here a number is missing, or true or false.'],
  ['reward < x', '9: Here a number is missing, or true or false.'],
  ['price > 2', '0: No rollout here has “price”.'],
  ['reward < 0 turns > 2', '11: Here “and” or “or” is missing.'],
  ['reward < 0 and', '14: Here a field is missing, such as reward or turns.'],
  ['(reward < 0', '0: This bracket is never closed.'],
  ['reward < 0)', '10: This bracket was never opened.'],
  ['reward * 2', '7: “*” has no meaning here.'],
  ['constructor', '0: No rollout here has “constructor”.'],
  ['3 < reward', '0: Here a field is missing, such as reward or turns.'],
  ['reward < 1.2.3', '9: “1” has no meaning here.'],
])('%s is refused with its place', (source, said) => expect(chosen(source)).toBe(said));

test('fields are suggested where one may begin', () => {
  const suggested = (source: string, caret = source.length) => suggest(source, caret, names).map(({ name }) => name);
  expect(suggested('')).toEqual(names);
  expect(suggested('t')).toEqual(['turns', 'tokens']);
  expect(suggested('reward < 0 and ca')).toEqual(['calls', 'calc']);
  expect(suggested('reward ')).toEqual([]);
  expect(suggested('reward < ')).toEqual([]);
  expect(suggest('not tu > 2', 6, names)).toEqual([{ name: 'turns', completed: 'not turns > 2', caret: 10 }]);
});
