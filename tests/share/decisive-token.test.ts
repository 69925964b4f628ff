import { readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { decisiveChoices, rivalOf } from '../../src/share/decisive-token';
import { readRecording } from '../../src/share/recording';
import type { RolloutView } from '../../src/rl/rollouts/view';

const answer = (success: boolean, ...steps: readonly [prompt: number[], tokens: number[], shares: number[]][]) => ({
  success,
  steps: steps.map(([promptTokens, tokens, shares]) => ({ promptTokens, tokens, logProbs: shares.map(Math.log) })),
});

const failed = answer(false, [
  [1, 2],
  [3, 4],
  [0.9, 0.75],
]);
const halfway = answer(false, [
  [1, 2],
  [5, 4],
  [0.6, 0.5],
]);
const solved = answer(
  true,
  [
    [1, 2],
    [3, 6],
    [0.8, 0.5],
  ],
  [[7], [4], [1]],
);

test('where the first and the last answer part, with what each agent gave its token', () => {
  const choices = decisiveChoices([failed, solved])!;
  expect(choices.map((choice) => choice!.id)).toEqual([4, 6]);
  expect(choices[0]!.probability).toBeCloseTo(0.75, 12);
  expect(choices[1]!.probability).toBeCloseTo(0.5, 12);
});

test('a choice says where it was made, and its rival is what the other side wrote', () => {
  const choices = decisiveChoices([failed, solved, solved])!;
  expect(choices.map((choice) => [choice!.step, choice!.index])).toEqual([
    [0, 1],
    [0, 1],
    [0, 1],
  ]);
  expect(choices.map((choice) => rivalOf(choice!, choices))).toEqual([6, 4, 4]);
  const called = answer(true, [[1, 2], [3], [0.9]], [[7], [8], [0.6]]);
  const gaveUp = answer(false, [[1, 2], [3], [0.9]], [[7], [9], [0.4]]);
  expect(decisiveChoices([gaveUp, called])!.map((choice) => choice!.step)).toEqual([1, 1]);
});

test('of an answer that parted before, nothing is said', () => {
  expect(decisiveChoices([failed, halfway, solved])![1]).toBeNull();
});

test('no choice where nothing was learned, or where the environment decided', () => {
  expect(decisiveChoices([])).toBeNull();
  expect(decisiveChoices([solved])).toBeNull();
  expect(decisiveChoices([solved, solved])).toBeNull();
  expect(decisiveChoices([failed, failed])).toBeNull();
  const other = answer(
    true,
    [
      [1, 2],
      [3, 4],
      [0.9, 0.7],
    ],
    [[8], [9], [1]],
  );
  const sameAtFirst = answer(
    false,
    [
      [1, 2],
      [3, 4],
      [0.9, 0.7],
    ],
    [[7], [9], [1]],
  );
  expect(decisiveChoices([sameAtFirst, other])).toBeNull();
  expect(decisiveChoices([failed, answer(true, [[1, 2], [3], [0.9]])])).toBeNull();
});

test('the calculator learned to call where it answered', async () => {
  const file = JSON.parse(await readFile('public/recordings/calculator.json', 'utf8')) as unknown;
  const { answers, vocabulary } = readRecording<object, object, RolloutView>(file);
  const choices = decisiveChoices(answers[0])!;
  expect(choices.map((choice) => vocabulary[choice!.id])).toEqual(['<answer>', '<call>', '<call>']);
  expect(choices.map((choice) => choice!.probability > 0.9)).toEqual([false, true, true]);
});
