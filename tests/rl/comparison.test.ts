/**
 * What the page asks of the trainer worker: known numbers of a batch by hand, the same as compareEstimators', and which
 * column is the run's own.
 */
import { expect, test } from 'vitest';
import { estimate } from '../../src/algorithms/algorithm';
import { compareEstimators } from '../../src/algorithms/compare';
import { episodeReward } from '../../src/algorithms/episodes/episode';
import { rolloutEpisodes } from '../../src/rl/rollouts/rollout-episodes';
import { algorithms } from '../../src/algorithms/table';
import { estimatorSettings, withAlgorithm } from '../../src/config/with-algorithm';
import { compareRollouts, meanCredit, type Comparison } from '../../src/rl/diagnostics/comparison';
import type { RunConfig } from '../../src/config/config';
import { algorithmNames } from '../../src/algorithms/table';
import { rolloutView } from '../../src/rl/rollouts/view';
import { appended, config, creditsOf, rewritten, trajectory } from '../helpers/trajectories';

const batch = [
  trajectory(0, 1, appended),
  trajectory(0, 0, rewritten),
  trajectory(1, 1, appended),
  trajectory(1, 1, rewritten),
];
const credits = creditsOf(batch);
const rollouts = batch.map((each, index) => rolloutView(each, { iteration: 3, index }, credits[index], true));
const compare = (run: RunConfig = config): Comparison => compareRollouts(rollouts, run, run.rewards);
const column = (comparison: Comparison, short: string) => comparison.columns.find((each) => each.short === short)!;
const wholes = (comparison: Comparison, short: string) =>
  column(comparison, short).credits!.map(({ whole }) => whole!.mean);
const changed = (
  section: 'algorithm' | 'shaping' | 'filter' | 'mistakes',
  values: object,
  run = config,
): RunConfig => ({
  ...run,
  [section]: { ...run[section], ...values },
});

test('rewards of 1 and 0 are ±1/√2 under GRPO, ±1/2 under Dr. GRPO, ±1 under RLOO; equal ones are 0', () => {
  const found = compare();
  const grpo = wholes(found, 'GRPO');
  expect(grpo[0]).toBeCloseTo(Math.SQRT1_2, 5);
  expect(grpo[1]).toBe(-grpo[0]);
  expect(grpo.slice(2)).toEqual([0, 0]);
  expect(wholes(found, 'Dr.GRPO')).toEqual([0.5, -0.5, 0, 0]);
  expect(wholes(found, 'RLOO')).toEqual([1, -1, 0, 0]);
  expect(wholes(found, 'GPG')).toEqual([(4 / 3) * 0.5, (-4 / 3) * 0.5, 0, 0]);
  expect(found.trained.map(({ whole }) => whole!.mean)).toEqual(grpo);
  expect(found.trained.map(({ steps }) => steps.length)).toEqual([2, 2, 2, 2]);
});

test('every column is what compareEstimators says, as means over agent tokens', () => {
  const run = changed('algorithm', { gamma: 0.9, lambda: 0.8, turnGamma: 0.7, stepWeight: 0.5 });
  const reading = { weights: run.rewards, advantageMask: true, mistakes: run.mistakes };
  const direct = compareEstimators(rolloutEpisodes(rollouts, reading), estimatorSettings(run));
  const found = compare(run);
  expect(found.columns.map(({ short }) => short)).toEqual(direct.map(({ short }) => short));
  direct.forEach(({ short, advantages, missing }) => {
    const { credits: own, missing: said } = column(found, short);
    expect(said).toBe(missing);
    expect(own?.map(({ steps }) => steps) ?? null, short).toEqual(
      advantages?.map((steps, i) =>
        steps.map((step, k) => meanCredit(step.subarray(0, rollouts[i].steps[k].tokens.length))),
      ) ?? null,
    );
  });
  expect(found.settings).toEqual({ gamma: 0.9, lambda: 0.8, turnGamma: 0.7 });
});

test('with a discount, later rewards are worth less to earlier tokens, and a mean says that they differ', () => {
  const [{ steps, whole }] = column(compare(changed('algorithm', { gamma: 0.5 })), 'RF++').credits!;
  expect(steps[0]!.mean).toBeLessThan(steps[1]!.mean);
  expect([steps[0]!.even, steps[1]!.even, whole!.even]).toEqual([false, true, false]);
});

test.each(algorithmNames())('the column marked as the run’s own is what %s estimates', (name) => {
  const run = withAlgorithm(config, name);
  const { episodes, anchors } = rolloutEpisodes(rollouts, {
    weights: run.rewards,
    advantageMask: true,
    mistakes: run.mistakes,
  });
  const values = episodes.map(({ steps, group }) =>
    steps.map(({ mask }) => new Float64Array(mask.length).fill(group === 0 ? 0.5 : 1)),
  );
  const groups = episodes.map(({ group }) => group);
  const whole = { episodes, anchors, groups, values, scores: episodes.map(episodeReward), greedyScores: [0, 0, 0, 0] };
  const { advantages } = estimate(algorithms[name], whole, estimatorSettings(run));
  const own = compare(run).columns.filter((each) => each.own);
  expect(own).toHaveLength(1);
  if (name === 'remax') expect(own[0]).toMatchObject({ short: 'ReMax', credits: null });
  else
    expect(own[0].credits!.map(({ steps }) => steps)).toEqual(
      advantages.map((steps, i) =>
        steps.map((step, k) => meanCredit(step.subarray(0, rollouts[i].steps[k].tokens.length))),
      ),
    );
});

test('settings that change an estimator move the mark, or take it away', () => {
  const own = (run: RunConfig) => compare(run).columns.find((each) => each.own)?.short ?? null;
  expect(own(changed('algorithm', { normalizeStd: false }))).toBe('Dr.GRPO');
  expect(own(changed('algorithm', { gaeAcross: 'step' }, withAlgorithm(config, 'ppo')))).toBe('GAE/step');
  expect(own(changed('algorithm', { normalizeStd: false }, withAlgorithm(config, 'gigpo')))).toBeNull();
  expect(own(changed('shaping', { process: 'per-source' }, withAlgorithm(config, 'rloo')))).toBeNull();
});

test('it says why the own column may not be what was trained with', () => {
  expect(compare().differs).toEqual([]);
  expect(compare(withAlgorithm(config, 'dapo')).differs).toEqual(['filter']);
  expect(compare(withAlgorithm(config, 'step-ppo')).differs).toEqual(['critic']);
  expect(compare(withAlgorithm(config, 'reinforce-pp')).differs).toEqual(['rewards']);
  expect(compare(changed('shaping', { invalidCall: 0.1 })).differs).toEqual(['rewards']);
  expect(compare(changed('algorithm', { normalizeStd: false }, withAlgorithm(config, 'gigpo'))).differs).toEqual([
    'settings',
  ]);
  expect(compare().planned).toEqual({ rollouts: 128, group: 8 });
});

test('mistakes of the run are in the columns, and said', () => {
  const found = compare(changed('mistakes', { wrongGroups: true }));
  expect(wholes(found, 'Dr.GRPO')).toEqual([1, 0, 1, 1]);
  expect(found.mistakes).toEqual([expect.stringMatching(/^Wrong group ids\. Every rollout is a group of its own/)]);
});

test('a rollout in which the agent wrote nothing has no credit', () => {
  const empty = rolloutView(
    trajectory(0, 0, []),
    { iteration: 3, index: 4 },
    { advantage: 0, actions: [], environment: [] },
    true,
  );
  const found = compareRollouts([...rollouts, empty], config, config.rewards);
  expect(column(found, 'GRPO').credits![4]).toEqual({ whole: null, steps: [] });
});
