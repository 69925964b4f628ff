/**
 * From trajectories to credit: shaping of rewards, KL in the reward, columns of actions and answers, and what the
 * critic is given.
 */
import { describe, expect, test } from 'vitest';
import type { Trajectory } from '../../src/agent/types';
import { episodeReward } from '../../src/algorithms/episodes/episode';
import { estimate } from '../../src/algorithms/algorithm';
import { splitBySteps } from '../../src/algorithms/credit';
import { estimatorInput, type TokenScores } from '../../src/rl/rollouts/estimator-input';
import { rolloutSources } from '../../src/rl/rollouts/rollout-episodes';
import { algorithms } from '../../src/algorithms/table';
import { estimatorSettings, withAlgorithm } from '../../src/config/with-algorithm';
import type { RunConfig } from '../../src/config/config';
import { keptRollouts } from '../../src/rl/rollouts/collect';
import { appended, config, creditedSegments, creditsOf, step, trajectory } from '../helpers/trajectories';

const nothing: TokenScores = { logProbs: [], referenceLogProbs: [] };
const batchOf = (trajectories: readonly Trajectory[], run: RunConfig, klCoefficient = 0, scores = nothing) =>
  estimatorInput({ rollouts: rolloutSources(trajectories), weights: run.rewards, klCoefficient, scores }, run);
const shaped = (shaping: Partial<RunConfig['shaping']>): RunConfig => ({
  ...config,
  shaping: { ...config.shaping, ...shaping },
});

/** A first step that earns 0.1, and an outcome of 1. */
const paid = trajectory(0, 1.1, [
  { ...appended[0], rewards: { format: 1 }, toolCalls: [{ name: 'calc', arguments: {}, result: '3' }] },
  { ...appended[1], rewards: { correct: 1 } },
]);
const rewardsOf = (run: RunConfig, of = paid) =>
  batchOf([of], run).episodes[0].steps.map(({ rewards }) => Array.from(rewards));

describe('rewards', () => {
  test('land on the last token of an action, shaped or not', () => {
    expect(rewardsOf(config)).toEqual([[0, 0.1, 0, 0, 0], [1]]);
  });

  test('of steps before the last are scaled by their largest sum', () => {
    const [[, process], [outcome]] = rewardsOf(shaped({ process: 'scaled' }));
    expect(process).toBeCloseTo(1, 4);
    expect(outcome).toBe(1);
  });

  test('are clipped by step', () => {
    expect(rewardsOf(shaped({ clip: 0.5 }))).toEqual([[0, 0.1, 0, 0, 0], [0.5]]);
  });

  test('lose the penalty for a call that cannot be read, on the action that wrote it', () => {
    const wrong = { ...paid, steps: [{ ...paid.steps[0], error: 'malformed' as const }, paid.steps[1]] };
    expect(rewardsOf(shaped({ invalidCall: 0.25 }), wrong)).toEqual([[0, 0.1 - 0.25, 0, 0, 0], [1]]);
    expect(rewardsOf(shaped({ invalidCall: 0.25 }))).toEqual(rewardsOf(config));
  });

  test('lose the penalty for too many tokens at the end', () => {
    // Three agent tokens: one past the two that cost nothing, of a buffer of four.
    expect(rewardsOf(shaped({ overlong: 1, overlongFrom: 2, overlongBuffer: 4 }))).toEqual([[0, 0.1, 0, 0, 0], [0.75]]);
  });

  test('lose the KL of each agent token where KL is in the reward', () => {
    const run = withAlgorithm(config, 'reinforce-pp');
    const column = (values: number[][]) => [values.map((row) => Float64Array.from(row))];
    const scores = {
      logProbs: column([[-1, -2, 0, 0, 0], [-3]]),
      referenceLogProbs: column([[-2, -2, 0, 0, 0], [-1]]),
    };
    const batch = batchOf([paid], run, 0.1, scores);
    const [first, second] = batch.episodes[0].steps.map(({ rewards }) => Array.from(rewards));
    expect(first).toEqual([-0.1, 0.1, 0, 0, 0]);
    expect(second[0]).toBeCloseTo(1.2, 12);
    expect(batch.scores).toEqual([episodeReward(batch.episodes[0])]);
  });
});

describe('credit', () => {
  test.each(Object.keys(algorithms) as RunConfig['algorithm']['name'][])('%s: masked tokens get exactly 0', (name) => {
    const run = withAlgorithm(config, name);
    const group = [
      paid,
      trajectory(0, 0, appended),
      trajectory(0, 0.3, appended),
      trajectory(1, 1, [step([10, 11], [20])]),
    ];
    const values = group.map(({ steps }) => steps.map(() => new Float64Array(9).fill(0.25)));
    const batch = { ...batchOf(group, run, 0, { ...nothing, values }), greedyScores: group.map(() => 0.5) };
    const credits = splitBySteps(
      group,
      batch,
      estimate(algorithms[name], batch, estimatorSettings(run)),
      algorithms[name].critic,
    );
    expect(credits.map(({ actions }) => actions.map((tokens) => tokens.length))).toEqual([[2, 1], [2, 1], [2, 1], [1]]);
    for (const { environment } of credits)
      for (const tokens of environment) expect(Array.from(tokens).every((value) => value === 0)).toBe(true);
    expect(
      credits.flatMap(({ actions }) => actions.flatMap((tokens) => Array.from(tokens))).every(Number.isFinite),
    ).toBe(true);
    expect(credits[0].actions[0][0]).toBeGreaterThan(credits[1].actions[0][0]);
    expect(credits.every(({ critic }) => (critic !== undefined) === (algorithms[name].critic !== undefined))).toBe(
      true,
    );
  });

  test.each([
    'grpo',
    'dr-grpo',
    'dapo',
    'gspo',
    'gigpo',
    'rloo',
    'opo',
    'gpg',
    'reinforce',
    'reinforce-pp-baseline',
  ] as const)('%s: equal rewards give exactly 0', (name) => {
    const equal = [0.97, 0.97, 0.97].map((reward) => trajectory(0, reward, [step([1], [2])]));
    for (const { actions } of creditsOf(equal, withAlgorithm(config, name)))
      expect(Array.from(actions[0])).toEqual([0]);
  });

  test('RLOO per source compares what steps earn apart from the outcome', () => {
    const run = withAlgorithm(shaped({}), 'rloo');
    const perSource = { ...run, shaping: { ...run.shaping, process: 'per-source' as const } };
    const failed = { ...paid, reward: 0.1, steps: [paid.steps[0], { ...paid.steps[1], rewards: { correct: 0 } }] };
    const helpless = { ...paid, reward: 1, steps: [{ ...paid.steps[0], rewards: {} }, paid.steps[1]] };
    const [both, process, outcome] = creditsOf([paid, failed, helpless], perSource).map(({ actions }) => actions[0][0]);
    expect(both).toBeGreaterThan(outcome);
    expect(outcome).toBeGreaterThan(process);
    expect(creditsOf([paid, failed, helpless], perSource)).not.toEqual(creditsOf([paid, failed, helpless], run));
  });

  test('with the advantage mask off each answer token has a credit of its own', () => {
    const run = withAlgorithm(config, 'reinforce-pp');
    const open = { ...run, algorithm: { ...run.algorithm, gamma: 0.5, advantageMask: false } };
    const [credit] = creditsOf([paid, trajectory(0, 0, appended)], open);
    const [segment] = creditedSegments(paid, 0, credit, false);
    expect([...segment.advantage.slice(2)]).toEqual([
      ...credit.actions[0],
      ...credit.environment[0],
      ...credit.actions[1],
    ]);
    expect(new Set(credit.environment[0]).size, 'they are discounted one by one').toBe(3);
  });

  test('a step’s critic learns before the first token of each step, a token’s everywhere', () => {
    const trainedBy = (name: 'ppo' | 'step-ppo') => {
      const run = withAlgorithm(config, name);
      const values = [paid.steps.map(() => new Float64Array(9))];
      const batch = batchOf([paid], run, 0, { ...nothing, values });
      const credits = splitBySteps(
        [paid],
        batch,
        estimate(algorithms[name], batch, estimatorSettings(run)),
        algorithms[name].critic,
      );
      return [...creditedSegments(paid, 0, credits[0], true)[0].critic!.trained];
    };
    expect(trainedBy('ppo')).toEqual([0, 0, 1, 1, 0, 0, 0, 1]);
    expect(trainedBy('step-ppo')).toEqual([0, 0, 1, 0, 0, 0, 0, 1]);
  });
});

describe('the filter', () => {
  const groups = [
    [1, 0],
    [1, 1],
    [0, 0],
    [0.6, 0.4],
  ].flatMap((rewards, group) => rewards.map((reward) => trajectory(group, reward, [step([1], [2])])));
  const kept = (filter: Partial<RunConfig['filter']>, tasks = 4) =>
    keptRollouts(groups, { ...config.filter, ...filter }, tasks);

  test('keeps all, those with signal, or those that differ most; whole groups, in order', () => {
    expect(kept({})).toEqual([0, 1, 2, 3, 4, 5, 6, 7]);
    expect(kept({ strategy: 'signal' })).toEqual([0, 1, 6, 7]);
    expect(kept({ strategy: 'top-k', value: 1 })).toEqual([0, 1]);
    expect(kept({ strategy: 'min-p', value: 0.1 })).toEqual([0, 1, 6, 7]);
    expect(kept({ strategy: 'signal' }, 1), 'at most as many as are wanted').toEqual([0, 1]);
  });
});
