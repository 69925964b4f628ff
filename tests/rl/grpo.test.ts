import { expect, test } from 'vitest';
import { groupAdvantages } from '../../src/algorithms/grpo';
import { appended, config, creditsOf, trajectory } from '../helpers/trajectories';

test('a group with equal rewards gives exactly 0, however they round', () => {
  expect([...groupAdvantages(Array(7).fill(0.97), Array(7).fill('a'), true)]).toEqual(Array(7).fill(0));
  expect([...groupAdvantages(Array(3).fill(0.1 + 0.2), Array(3).fill('a'), false)]).toEqual([0, 0, 0]);
});

test('a binary pair differs by the unbiased standard deviation', () => {
  const [winner, loser] = groupAdvantages([1, 0], [0, 0], true);
  expect(winner).toBeCloseTo(Math.SQRT1_2, 5);
  expect(loser).toBe(-winner);
});

test('Dr. GRPO keeps the numerator', () => {
  expect([...groupAdvantages([1, 0, 0, 0], [0, 0, 0, 0], false)]).toEqual([0.75, -0.25, -0.25, -0.25]);
});

test('members of a group need not be adjacent, and a group of one keeps its reward', () => {
  const mixed = groupAdvantages([1, 5, 0, 1], ['a', 'b', 'a', 'c'], false);
  expect([...mixed]).toEqual([0.5, 5, -0.5, 1]);
});

test('agent tokens carry the advantage; environment tokens only where the advantage mask is off', () => {
  const pair = [trajectory(0, 1, appended), trajectory(0, 0, appended)];
  const on = creditsOf(pair);
  const off = creditsOf(pair, { ...config, algorithm: { ...config.algorithm, advantageMask: false } });
  expect(on[0].actions.map((tokens) => [...tokens])).toEqual([[on[0].advantage, on[0].advantage], [on[0].advantage]]);
  const environment = (credits: typeof on) => credits.map((credit) => credit.environment.map((tokens) => [...tokens]));
  expect(environment(on)).toEqual([
    [[0, 0, 0], []],
    [[0, 0, 0], []],
  ]);
  expect(environment(off)).toEqual(on.map(({ advantage }) => [[advantage, advantage, advantage], []]));
});
