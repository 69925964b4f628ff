import { expect, test } from 'vitest';
import { rolloutMetrics } from '../../src/rl/rollouts/metrics';
import { rolloutView } from '../../src/rl/rollouts/view';
import { action, appended, creditsOf, rewritten, step, trajectory } from '../helpers/trajectories';

const call = { name: 'add', arguments: { a: 1, b: 2 }, result: '3' };

test('metrics of rollouts', () => {
  const truncated = { ...action([20]), stop: 'length' as const };
  const metrics = rolloutMetrics([
    trajectory(0, 1, [
      step([1], [2, 3], { toolCalls: [call], rewards: { format: 0.5 } }),
      step([4], [5], { rewards: { format: 0.5, correct: 1 } }),
    ]),
    trajectory(0, 0, [step([1], [2], { action: truncated, toolCalls: [{ ...call, error: 'unknown-tool' }] })]),
    trajectory(1, 1, [step([1], [2], { rewards: { correct: 1 } })]),
    trajectory(1, 1, [step([1], [2], { rewards: { correct: 1 } })]),
  ]);
  expect(metrics).toEqual({
    success: 0.75,
    rewardMean: 0.75,
    rewardStd: Math.SQRT1_2 / 2,
    zeroSignalGroups: 0.5,
    entropy: 0.5,
    turns: 1.25,
    toolCallSuccess: 0.5,
    responseLength: 1.5,
    truncated: 0.2,
    killed: { fuel: 0, depth: 0, memory: 0, stack: 0, trap: 0 },
    environmentFailures: 0,
    rewardTerms: { correct: 0.75, format: 0.25 },
    sampledTokens: 6,
  });
});

test('what was stopped is counted by its limit, calls and rewards alike, and a stopped call is a failed one', () => {
  const killed = { ...call, error: 'killed' as const };
  const metrics = rolloutMetrics([
    trajectory(
      0,
      0,
      [step([1], [2], { toolCalls: [{ ...killed, killed: 'fuel' }, { ...killed, killed: 'depth' }, call] })],
      {
        end: 'environment-failed',
      },
    ),
    trajectory(0, 0, [step([1], [2]), step([1], [2], { error: 'killed', killed: 'fuel' })], {
      end: 'environment-failed',
    }),
    trajectory(1, 1, [step([1], [2], { toolCalls: [call] })]),
    trajectory(1, 1, [step([1], [2])]),
  ]);
  expect(metrics.killed).toEqual({ fuel: 2, depth: 1, memory: 0, stack: 0, trap: 0 });
  expect(metrics.environmentFailures).toBe(0.5);
  expect(metrics.toolCallSuccess).toBe(0.5);
});

test('no tool call is not a failed one, and a group of one has signal unless its reward is 0', () => {
  const metrics = rolloutMetrics([trajectory(0, 1, [step([1], [2])]), trajectory(1, 0, [step([1], [2])])]);
  expect(metrics.toolCallSuccess).toBeNull();
  expect(metrics.zeroSignalGroups).toBe(0.5);
});

test('a view shows the tokens, masks and advantages that were trained on', () => {
  const pair = [trajectory(3, 1, appended, { answer: '7' }), trajectory(3, 0, rewritten)];
  const credits = creditsOf(pair);
  const view = rolloutView(pair[0], { iteration: 4, index: 6 }, credits[0], false);
  expect(view).toMatchObject({
    iteration: 4,
    index: 6,
    group: 3,
    taskId: 'task-3',
    reward: 1,
    success: true,
    end: 'answer',
    answer: '7',
    advantage: credits[0].advantage,
  });
  expect(view.steps.map(({ promptTokens }) => promptTokens)).toEqual([
    [10, 11],
    [30, 31, 32],
  ]);
  expect(view.steps.map((shown) => shown.continues)).toEqual([false, true]);
  expect(view.steps.map(({ lossMask }) => lossMask)).toEqual([
    [0, 0, 1, 1],
    [1, 1, 1, 1],
  ]);
  expect(view.steps.map(({ advantages }) => advantages)).toEqual(credits[0].actions.map((tokens) => [...tokens]));
  const other = rolloutView(pair[1], { iteration: 4, index: 7 }, credits[1], false);
  expect(other.steps.map(({ promptTokens }) => promptTokens)).toEqual([
    [10, 11],
    [10, 12, 30],
  ]);
  expect(other.steps[1].lossMask).toEqual([0, 0, 0, 1]);
  expect('answer' in other).toBe(false);
});

test('a step that continues shows only the messages the environment added', () => {
  const first = { role: 'user', content: 'what is 1+2?' } as const;
  const reply = { role: 'tool', content: '3' } as const;
  const steps = [
    { ...appended[0], observation: { messages: [first] } },
    {
      ...appended[1],
      observation: { messages: [first, { role: 'assistant', content: 'add 1 2', tokens: [20, 21] } as const, reply] },
    },
  ];
  const source = trajectory(0, 1, steps);
  const view = rolloutView(source, { iteration: 1, index: 0 }, creditsOf([source])[0], true);
  expect(view.steps.map(({ messages }) => messages)).toEqual([[first], [reply]]);
});

test('success by tag of the tasks; a task may have several, or none', () => {
  const tagged = (success: boolean, ...tags: string[]) =>
    trajectory(0, 0, [step([1], [2])], {
      success,
      task: { id: 'a', prompt: 'a', data: null, ...(tags[0] && { tags }) },
    });
  const { successByTag } = rolloutMetrics([
    tagged(true, 'short'),
    tagged(false, 'short', 'hard'),
    tagged(false, 'hard'),
    tagged(true),
  ]);
  expect(successByTag).toEqual({ hard: 0, short: 0.5 });
  expect(rolloutMetrics([tagged(true)])).not.toHaveProperty('successByTag');
});
