import { expect, test } from 'vitest';
import type { Credit } from '../../src/algorithms/credit';
import { demonstrationSegments, trajectorySegments, withCredit } from '../../src/rl/learner/segments';
import { appended, creditedSegments, rewritten, step, trajectory } from '../helpers/trajectories';

const credit: Credit = {
  advantage: 2,
  actions: [Float64Array.of(2, 2), Float64Array.of(2)],
  environment: [Float64Array.of(-1, -1, -1), new Float64Array(0)],
};

test('an appended conversation is one segment', () => {
  const [segment, ...rest] = creditedSegments(trajectory(0, 1, appended), 5, credit, true);
  expect(rest).toEqual([]);
  expect(segment.trajectory).toBe(5);
  expect([...segment.tokens]).toEqual([10, 11, 20, 21, 30, 31, 32, 22]);
  expect([...segment.inLoss]).toEqual([0, 0, 1, 1, 0, 0, 0, 1]);
  expect([...segment.sampled]).toEqual([0, 0, 1, 1, 0, 0, 0, 1]);
  expect([...segment.step]).toEqual([0, 0, 0, 0, 1, 1, 1, 1]);
  expect([...segment.index]).toEqual([0, 1, 0, 1, 0, 1, 2, 0]);
  expect([...segment.oldLogProb]).toEqual([0, 0, -0.1, -0.2, 0, 0, 0, -0.1]);
  expect([...segment.advantage]).toEqual([0, 0, 2, 2, 0, 0, 0, 2]);
});

test('with the loss mask off, what the environment wrote after the first action is trained on', () => {
  const [segment] = creditedSegments(trajectory(0, 1, appended), 0, credit, false);
  expect([...segment.inLoss]).toEqual([0, 0, 1, 1, 1, 1, 1, 1]);
  expect([...segment.sampled]).toEqual([0, 0, 1, 1, 0, 0, 0, 1]);
  expect([...segment.advantage]).toEqual([0, 0, 2, 2, -1, -1, -1, 2]);
});

test('a rewritten context starts a segment, and a prompt that starts one is never in the loss', () => {
  for (const lossMask of [true, false]) {
    const segments = creditedSegments(trajectory(0, 1, rewritten), 0, credit, lossMask);
    expect(segments.map(({ tokens }) => [...tokens])).toEqual([
      [10, 11, 20, 21],
      [10, 12, 30, 22],
    ]);
    expect(segments.map(({ inLoss }) => [...inLoss])).toEqual([
      [0, 0, 1, 1],
      [0, 0, 0, 1],
    ]);
    expect(segments.map(({ step: steps }) => steps[0])).toEqual([0, 1]);
  }
});

test('a prompt that repeats the text but not the sampled tokens does not join', () => {
  const steps = [step([10], [20, 21]), step([10, 20, 99, 30], [22])];
  expect(creditedSegments(trajectory(0, 1, steps), 0, credit, true)).toHaveLength(2);
});

test('only the steps that extend each other join', () => {
  const steps = [step([1], [2]), step([1, 2, 3], [4]), step([9], [5]), step([9, 5], [6])];
  const actions = steps.map(() => Float64Array.of(1));
  const segments = creditedSegments(trajectory(0, 1, steps), 0, { advantage: 1, actions, environment: [] }, true);
  expect(segments.map(({ tokens }) => [...tokens])).toEqual([
    [1, 2, 3, 4],
    [9, 5, 6],
  ]);
});

test('a demonstration is trained on with advantage 1', () => {
  const [segment] = demonstrationSegments(trajectory(0, 1, appended), 3);
  expect([...segment.advantage]).toEqual([0, 0, 1, 1, 0, 0, 0, 1]);
});

test('an empty prompt is a programmer error', () => {
  const empty = trajectory(0, 1, [step([], [20])]);
  expect(() =>
    creditedSegments(empty, 4, { advantage: 0, actions: [Float64Array.of(0)], environment: [] }, true),
  ).toThrow(/step 0 of trajectory 4 has an empty prompt/);
});

test('the loss mask drops tokens that were only measured, and missing credit is a programmer error', () => {
  const [open] = trajectorySegments(trajectory(0, 1, appended), 0, false);
  const masked = withCredit(open, credit, true);
  expect([...masked.inLoss]).toEqual([0, 0, 1, 1, 0, 0, 0, 1]);
  expect([...masked.advantage]).toEqual([0, 0, 2, 2, 0, 0, 0, 2]);
  expect([...open.advantage], 'credit makes a segment of its own').toEqual([0, 0, 0, 0, 0, 0, 0, 0]);
  expect(() => withCredit(open, { ...credit, actions: credit.actions.slice(0, 1) }, true)).toThrow(
    /credit for 1 steps and none for step 1/,
  );
});
