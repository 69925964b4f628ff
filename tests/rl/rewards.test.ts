/**
 * Rewards before they become advantages: KL penalties, process rewards, clipping, and the length penalty. Numbers are
 * in vectors.test.ts.
 */
import { expect, test } from 'vitest';
import { cappedOverlongPenalty } from '../../src/algorithms/rewards/overlong';
import type { Episode } from '../../src/algorithms/episodes/episode';
import { adaptBeta, klEstimate, penaliseKl } from '../../src/algorithms/rewards/kl-penalty';
import { clipRewards, scaleProcessRewards } from '../../src/algorithms/rewards/shaping';
import { twoSourceReturns } from '../../src/algorithms/rloo';
import { estimateOf } from '../helpers/estimates';
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
  const episodes = penaliseKl(given, columns([[-1, NaN, -2], [NaN]]), columns([[-1.5, NaN, -2], [NaN]]), {
    estimator: 'k1',
    beta: 0.1,
  });
  expect(rewardsOf(episodes)).toEqual([[-0.05, 0, 1], [0]]);
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
  const source = (rewards: readonly (readonly number[][])[]) => ({ rewards, gamma: 1 });
  const equal = twoSourceReturns(group, source(column(0.97, 2)), source(column(0.1, 2)));
  expect(equal.flat().flatMap((row) => Array.from(row))).toEqual([0, 0, 0, 0, 0, 0]);
  const alone = twoSourceReturns(group.slice(0, 1), source([[[0.5, 0.25]]]), source([[[9, 1]]]));
  expect(Array.from(alone[0][0])).toEqual([1.75, 1.25]);
});

test('clipping bounds every token’s reward', () => {
  expect(rewardsOf(clipRewards([episode([-5, NaN, 0.5, 7], [1, 0, 1, 1])], 3))).toEqual([[-3, 0, 0.5, 3]]);
});

test('the over-long penalty is 0 up to the buffer, grows in it to its size, and favours short successes', () => {
  const settings = { longest: 20, buffer: 10, factor: 1 };
  expect([0, 10, 15, 20, 21, 500].map((length) => cappedOverlongPenalty(length, settings))).toEqual([
    0, 0, -0.5, -1, -1, -1,
  ]);
  const written = (tokens: number, reward: number) =>
    episode(Array.from({ length: tokens }, (_, t) => +(t === 0) * reward));
  const { advantages } = estimateOf('dapo', [written(5, 1), written(15, 1), written(5, 0)], { overlong: settings });
  const [short, long, failed] = advantages.map(([step]) => step[0]);
  expect(short).toBeGreaterThan(long);
  expect(long).toBeGreaterThan(failed);
});
