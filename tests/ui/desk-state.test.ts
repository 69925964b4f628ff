/** The reward desk: what is asked of the trainer, which answer counts, and why a reward cannot be trained on. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { RewardChange } from '../../src/config/changed-reward';
import type { Rescoring } from '../../src/rl/diagnostics/rescoring';
import type { RolloutView } from '../../src/rl/rollouts/view';
import { DeskState } from '../../src/ui/panels/reward-editor/desk-state.svelte';
import { text } from '../../src/ui/panels/reward-editor/text';
import { configOf } from '../helpers/displayed-run';

const config = configOf('calculator-mini');
const rollouts = [{ iteration: 1, index: 0, group: 0, taskId: 't', prompt: '1+1' }] as unknown as RolloutView[];
const answer = (more: Partial<Rescoring> = {}) =>
  ({
    terms: [{ name: 'correct', description: '', weight: 1, mean: 0 }],
    before: [{ reward: 0, advantage: 0 }],
    after: [{ reward: 1, advantage: 0 }],
    missing: null,
    planned: 1,
    ...more,
  }) as unknown as Rescoring;

/** Questions in order, each answered by hand. */
let questions: { change: RewardChange; resolve: (answer: Rescoring) => void; reject: (error: Error) => void }[];
let desk: DeskState;
const settled = () => vi.advanceTimersByTimeAsync(0);

beforeEach(() => {
  vi.useFakeTimers();
  questions = [];
  const rescore = (_: unknown, __: unknown, change: RewardChange) =>
    new Promise<Rescoring>((resolve, reject) => questions.push({ change, resolve, reject }));
  desk = new DeskState(
    () => ({ rescore }) as never,
    () => 'code of the world',
  );
});
afterEach(() => vi.useRealTimers());

async function opened(): Promise<void> {
  void desk.open(rollouts, config);
  questions[0].resolve(answer());
  await settled();
}

test('as it opens nothing has changed, and a changed weight can be trained on once it is scored', async () => {
  await opened();
  expect([desk.scoring, desk.changed, desk.obstacle]).toEqual([false, false, text.cannot.same]);
  expect(desk.groups.map(({ movement }) => movement)).toEqual([0]);
  void desk.weigh('correct', '2');
  expect([desk.scoring, desk.obstacle]).toEqual([true, text.cannot.scoring]);
  questions[1].resolve(answer());
  await settled();
  expect([desk.changed, desk.obstacle, desk.change]).toEqual([
    true,
    null,
    { weights: { correct: 2 }, source: undefined },
  ]);
  void desk.weigh('correct', '1');
  questions[2].resolve(answer());
  await settled();
  expect([desk.changed, desk.obstacle], 'the weight is what it was').toEqual([false, text.cannot.same]);
});

test('what is no number is not asked, and says why until it is mended', async () => {
  await opened();
  void desk.weigh('correct', 'two');
  expect(questions).toHaveLength(1);
  expect(desk.errors.correct).toBeTruthy();
  expect(desk.obstacle).toBe(text.cannot.wrong);
  void desk.weigh('correct', '2');
  expect(desk.errors).toEqual({});
  expect(questions).toHaveLength(2);
});

test.each(['resolve', 'reject'] as const)('a late answer does not count (%s)', async (how) => {
  await opened();
  void desk.weigh('correct', '2');
  void desk.weigh('correct', '3');
  if (how === 'resolve') questions[1].resolve(answer({ planned: 99 }));
  else questions[1].reject(new Error('late'));
  await settled();
  expect([desk.scoring, desk.problem, desk.rescored?.planned]).toEqual([true, '', 1]);
  questions[2].resolve(answer({ planned: 5 }));
  await settled();
  expect([desk.scoring, desk.rescored?.planned]).toEqual([false, 5]);
});

test('code is tried when the keys rest; code that fails says so and cannot be trained on', async () => {
  await opened();
  desk.write('a');
  await vi.advanceTimersByTimeAsync(499);
  desk.write('ab');
  await vi.advanceTimersByTimeAsync(499);
  expect([questions.length, desk.scoring]).toEqual([1, true]);
  await vi.advanceTimersByTimeAsync(1);
  expect(questions[1].change.source).toBe('ab');
  questions[1].reject(new Error('It has no reward.'));
  await settled();
  expect([desk.problem, desk.obstacle, desk.scoring]).toEqual([
    text.problem('It has no reward.'),
    text.cannot.broken,
    false,
  ]);
  desk.write('code of the world');
  await vi.advanceTimersByTimeAsync(500);
  expect(questions[2].change.source, 'as it was').toBeUndefined();
  questions[2].resolve(answer());
  await settled();
  expect([desk.problem, desk.changed]).toEqual(['', false]);
});

test('code that changes what the agent reads cannot be trained on', async () => {
  await opened();
  desk.write('other');
  await vi.advanceTimersByTimeAsync(500);
  questions[1].resolve(answer({ replay: { parted: 0, failures: null, sameTokens: false } }));
  await settled();
  expect(desk.obstacle).toBe(text.cannot.tokens);
});

test('to restore is to forget weights, errors and code', async () => {
  await opened();
  desk.write('other');
  void desk.weigh('correct', 'two');
  void desk.restore();
  expect([desk.weights, desk.errors, desk.code, desk.begun]).toEqual([{}, {}, undefined, 2]);
  await vi.advanceTimersByTimeAsync(1000);
  expect(questions.length, 'the code that was written is not tried any more').toBe(2);
});
