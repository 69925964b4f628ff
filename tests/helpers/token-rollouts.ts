/** Two rollouts of one task with a token for each word: one that calls a tool and answers, and one that guesses. */
import type { RolloutView, StepView } from '../../src/rl/rollouts/view';

export const vocabulary = ['ask', 'calc', '42', 'no', '<end>', 'tool'];
export const specialTokens = [4];

const step = (promptTokens: number[], tokens: number[], advantage: number, more: Partial<StepView> = {}): StepView => ({
  promptTokens,
  continues: false,
  tokens,
  logProbs: tokens.map((_, i) => -0.5 * (i + 1)),
  entropies: tokens.map(() => 0.25),
  advantages: tokens.map(() => advantage),
  lossMask: [...promptTokens.map(() => 0), ...tokens.map(() => 1)],
  text: tokens.map((id) => vocabulary[id]).join(' '),
  messages: [],
  toolCalls: [],
  rewards: {},
  ...more,
});

const of = (index: number, more: Partial<RolloutView>): RolloutView => ({
  iteration: 3,
  index,
  group: 0,
  taskId: 'six-by-seven',
  prompt: 'What is 6*7?',
  reward: 1,
  advantage: 0.5,
  success: true,
  end: 'answer',
  answer: '42',
  steps: [],
  ...more,
});

export const solved = of(0, {
  steps: [
    step([0], [1, 4], 0.5, {
      messages: [
        { role: 'system', content: 'You calculate.' },
        { role: 'user', content: 'What is 6*7?' },
      ],
      toolCalls: [{ name: 'calc', arguments: { expression: '6*7' }, result: '42', reward: 0.1 }],
    }),
    step([5, 2], [2, 4], 0.5, {
      continues: true,
      messages: [{ role: 'tool', content: '42' }],
      rewards: { correct: 1 },
    }),
  ],
});

export const failed = of(1, {
  reward: 0,
  advantage: -0.5,
  success: false,
  answer: 'no',
  steps: [
    step([0], [3, 4], -0.5, {
      messages: solved.steps[0].messages,
      toolCalls: [{ name: 'calc', arguments: {}, result: 'There is no expression.', error: 'invalid-arguments' }],
      rewards: { correct: 0 },
    }),
  ],
});

export const pair: readonly RolloutView[] = [solved, failed];
