/**
 * Rewards before they become advantages: KL penalties, process rewards, clipping, and the length penalty. Numbers are
 * in vectors.test.ts.
 */
import { expect, test } from 'vitest';
import { dapoAdvantages, overlongPenalty } from '../../src/rl/advantages/dapo';
import type { Episode } from '../../src/rl/episodes/episode';
import { clipRewards } from '../../src/rl/rewards/clip';
import { adaptBeta, klEstimate, penaliseKl } from '../../src/rl/rewards/kl-penalty';
import { scaleProcessRewards, twoSourceRloo } from '../../src/rl/rewards/process-reward';
import { klEstimate as reference } from '../reference/kl';

const episode = (rewards: readonly number[], mask = rewards.map(() => 1), group = 0): Episode => ({
  group,
  steps: [{ mask, rewards }],
});
const rewardsOf = (episodes: readonly Episode[]) => episodes.map(({ steps }) => Array.from(steps[0].rewards));

test.each(['k1', 'abs', 'k2', 'k3', 'k3+'] as const)(
  '%s agrees with its reference, extremes included, and is 0 between equal policies',
  (estimator) => {
    for (const [logProb, other] of [
      [-0.5, -0.7],
      [-3, -0.1],
      [-40, -0.1],
      [-0.1, -40],
    ])
      expect(klEstimate(estimator, logProb, other)).toBe(reference(estimator, logProb, other).value);
    expect(Math.abs(klEstimate(estimator, -0.3, -0.3))).toBe(0);
  },
);

test('a KL penalty is taken off agent tokens alone and leaves the given episodes as they were', () => {
  const given = [episode([0, NaN, 1], [1, 0, 1]), episode([NaN], [0])];
  const columns = (rows: readonly number[][]) => rows.map((row) => [row]);
  const { episodes, meanKl } = penaliseKl(given, columns([[-1, NaN, -2], [NaN]]), columns([[-1.5, NaN, -2], [NaN]]), {
    estimator: 'k1',
    beta: 0.1,
  });
  expect(rewardsOf(episodes)).toEqual([[-0.05, 0, 1], [0]]);
  expect(meanKl).toBeCloseTo(0.125, 12);
  expect(rewardsOf(given)).toEqual([[0, NaN, 1], [NaN]]);
});

test('β rises above the target, falls below it, stays on it, and never by more than a fifth of n / horizon', () => {
  const controller = { target: 0.1, horizon: 100 };
  expect(adaptBeta(0.5, 0.1, 10, controller)).toBe(0.5);
  expect(adaptBeta(0.5, 0.11, 10, controller)).toBeGreaterThan(0.5);
  expect(adaptBeta(0.5, 0.09, 10, controller)).toBeLessThan(0.5);
  expect(adaptBeta(0.5, 99, 10, controller)).toBeCloseTo(0.5 * 1.02, 12);
});

test('scaled process rewards reach at most 1 in either direction; none stay none', () => {
  const [first, second] = rewardsOf(scaleProcessRewards([episode([1, -4, 2]), episode([5, 3, 0])]));
  expect(second[0] + second[1]).toBeCloseTo(1, 6);
  expect(first).toEqual([1, -4, 2].map((reward) => reward / (8 + 1e-6)));
  expect(rewardsOf(scaleProcessRewards([episode([0, 0])]))).toEqual([[0, 0]]);
});

test('two sources with equal rewards give exactly 0; a group of one keeps its rewards', () => {
  const column = (value: number, count: number) =>
    Array.from({ length: 3 }, () => [new Array<number>(count).fill(value)]);
  const group = [0, 1, 2].map(() => episode([0, 0]));
  const settings = { processGamma: 1, outcomeGamma: 1 };
  const equal = twoSourceRloo(group, { process: column(0.97, 2), outcome: column(0.1, 2), ...settings });
  expect(equal.returns.flat().flatMap((row) => Array.from(row))).toEqual([0, 0, 0, 0, 0, 0]);
  const alone = twoSourceRloo(group.slice(0, 1), { process: [[[0.5, 0.25]]], outcome: [[[9, 1]]], ...settings });
  expect(Array.from(alone.returns[0][0])).toEqual([1.75, 1.25]);
});

test('clipping bounds every token’s reward', () => {
  expect(rewardsOf(clipRewards([episode([-5, NaN, 0.5, 7], [1, 0, 1, 1])], { low: -1, high: 3 }))).toEqual([
    [-1, 0, 0.5, 3],
  ]);
});

test('the over-long penalty is 0 up to the buffer, grows in it, and makes a long success worth less than a short one', () => {
  const settings = { longest: 20, buffer: 10, factor: 1 };
  expect([0, 10, 15, 20].map((length) => overlongPenalty(length, settings))).toEqual([0, 0, -0.5, -1]);
  const [short, long, failed] = dapoAdvantages([1, 1, 0], [5, 15, 5], [0, 0, 0], settings);
  expect(short).toBeGreaterThan(long);
  expect(long).toBeGreaterThan(failed);
});
