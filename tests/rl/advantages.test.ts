/**
 * What must hold of every advantage estimator, whatever the batch, and what each is known by. The numbers themselves
 * are in vectors.test.ts.
 */
import { describe, expect, test } from 'vitest';
import { estimate, type AlgorithmSettings } from '../../src/algorithms/algorithm';
import { compareDefaults, compareEstimators, groupMeanValues, type ComparedBatch } from '../../src/algorithms/compare';
import { biLevelGae } from '../../src/algorithms/bi-level-gae';
import { groupsWithSignal } from '../../src/rl/rollouts/filter';
import { episodeReward, type Episode, type TokenColumns } from '../../src/algorithms/episodes/episode';
import { gigpoAdvantages } from '../../src/algorithms/gigpo';
import { groupAdvantages } from '../../src/algorithms/grpo';
import { tokenReturns } from '../../src/algorithms/episodes/returns';
import { rlooAdvantages } from '../../src/algorithms/rloo';
import { stepGae } from '../../src/algorithms/step-ppo';
import { tokenGae } from '../../src/algorithms/token-gae';
import { algorithms } from '../../src/algorithms/table';
import { algorithmNames } from '../../src/algorithms/table';
import { drawBatch, outcomes, rescored, shuffled } from '../helpers/episodes';
import { inputOf } from '../helpers/estimates';

const undiscounted: AlgorithmSettings = { ...compareDefaults, gamma: 1, lambda: 1, turnGamma: 1 };
const names = compareEstimators(drawBatch(1), compareDefaults).map(({ short }) => short);

function advantagesOf(short: string, batch: ComparedBatch, settings = compareDefaults): TokenColumns {
  const estimator = compareEstimators(batch, settings).find((each) => each.short === short);
  return estimator!.advantages!;
}

const numbers = (columns: TokenColumns): number[] =>
  columns.flatMap((steps) => steps.flatMap((step) => Array.from(step)));

function expectClose(got: TokenColumns, expected: TokenColumns): void {
  const [a, b] = [numbers(got), numbers(expected)];
  expect(a.length).toBe(b.length);
  a.forEach((value, n) => expect(Math.abs(value - b[n])).toBeLessThanOrEqual(1e-9 * (1 + Math.abs(b[n]))));
}

const seeds = [1, 2, 3];

describe.each(names)('%s', (name) => {
  test.each(seeds)(
    'tells something of a batch, is 0 at the environment’s tokens and reads nothing there (seed %i)',
    (seed) => {
      const batch = drawBatch(seed);
      const advantages = advantagesOf(name, batch);
      expect(numbers(advantages).some((value) => value !== 0)).toBe(true);
      expect(numbers(advantages).every(Number.isFinite)).toBe(true);
      let masked = 0;
      batch.episodes.forEach(({ steps }, i) =>
        steps.forEach(({ mask }, k) =>
          Array.from(mask).forEach((m, t) => {
            if (m === 1) return;
            masked++;
            expect(Object.is(advantages[i][k][t], 0)).toBe(true);
          }),
        ),
      );
      expect(masked).toBeGreaterThan(0);
    },
  );

  test.each(seeds)('does not care for the order of rows (seed %i)', (seed) => {
    const batch = drawBatch(seed);
    const { batch: other, order } = shuffled(batch, seed + 10);
    expect(order).not.toEqual(order.toSorted((a, b) => a - b));
    const expected = advantagesOf(name, batch);
    expectClose(
      advantagesOf(name, other),
      order.map((i) => expected[i]),
    );
  });

  test('gives numbers for groups of one, for one step in all, and for no agent tokens', () => {
    const alone = drawBatch(5, { groups: 6, groupSize: 1, mostSteps: 3 });
    expect(numbers(advantagesOf(name, alone)).every(Number.isFinite)).toBe(true);
    const single = drawBatch(6, { groups: 1, groupSize: 1, mostSteps: 1 });
    expect(numbers(advantagesOf(name, single)).every(Number.isFinite)).toBe(true);
    const blank = single.episodes.map(({ group, steps }) => ({
      group,
      steps: steps.map(({ mask, rewards }) => ({
        mask: new Uint8Array(mask.length),
        rewards: Float64Array.from(rewards).fill(NaN),
      })),
    }));
    const zeros = numbers(advantagesOf(name, { ...single, episodes: blank }));
    expect(zeros.length).toBeGreaterThan(0);
    expect(zeros.every((value) => Object.is(value, 0))).toBe(true);
  });

  test('gives nothing for no episodes and no steps', () => {
    expect(advantagesOf(name, { episodes: [], anchors: [], greedyScores: [] })).toEqual([]);
    const stepless = { episodes: [{ group: 0, steps: [] }], anchors: [[]], greedyScores: [0] };
    expect(advantagesOf(name, stepless)).toEqual([[]]);
  });
});

// ReMax compares with a greedy rollout, whose reward does not shift along; GPG counts rewards that are not 0; within a
// step, GAE does not see the outcome that the values of earlier steps foretell.
test.each(names.filter((name) => !['ReMax', 'GPG', 'GAE/step'].includes(name)))(
  '%s does not care for a constant added to outcomes',
  (name) => {
    for (const seed of seeds) {
      const { values: _, ...batch } = drawBatch(seed);
      const episodes = outcomes(batch.episodes, (i) => (i % 3) / 4);
      const higher = outcomes(batch.episodes, (i) => (i % 3) / 4 + 2);
      expectClose(
        advantagesOf(name, { ...batch, episodes: higher }, undiscounted),
        advantagesOf(name, { ...batch, episodes }, undiscounted),
      );
    }
  },
);

test.each(names.filter((name) => name !== 'GAE/step'))(
  '%s is exactly 0 where all rewards are equal, however they round',
  (name) => {
    const { values: _, ...batch } = drawBatch(4);
    for (const reward of [0.97, 0.1 + 0.2, 1 / 3]) {
      const episodes = outcomes(batch.episodes, () => reward);
      const greedyScores = episodes.map(episodeReward);
      const advantages = numbers(advantagesOf(name, { ...batch, episodes, greedyScores }, undiscounted));
      expect(advantages.filter((value) => value !== 0)).toEqual([]);
    }
  },
);

describe('what estimators are known by', () => {
  const { episodes, anchors, values } = drawBatch(7);
  const scores = episodes.map(episodeReward);
  const groups = episodes.map(({ group }) => group);

  test('GRPO does not care for the scale of rewards; Dr. GRPO carries it; both sum to 0 in a group', () => {
    const tenfold = scores.map((score) => 10 * score);
    const [grpo, dr] = [true, false].map((normalize) => groupAdvantages(scores, groups, normalize));
    const [grpoTen, drTen] = [true, false].map((normalize) => groupAdvantages(tenfold, groups, normalize));
    grpo.forEach((value, i) => expect(grpoTen[i]).toBeCloseTo(value, 4));
    dr.forEach((value, i) => expect(drTen[i]).toBeCloseTo(10 * value, 9));
    for (const group of new Set(groups)) {
      const sum = (all: Float64Array) =>
        all.reduce((total, value, i) => (groups[i] === group ? total + value : total), 0);
      expect(sum(grpo)).toBeCloseTo(0, 9);
      expect(sum(dr)).toBeCloseTo(0, 9);
    }
  });

  test('RLOO compares with the others alone', () => {
    rlooAdvantages(scores, groups).forEach((value, i) => {
      const others = scores.filter((_, j) => j !== i && groups[j] === groups[i]);
      expect(value).toBeCloseTo(scores[i] - others.reduce((sum, score) => sum + score, 0) / others.length, 9);
    });
  });

  test('a group of one keeps its score, but pass@k needs a second', () => {
    const lonely = { ...drawBatch(8, { groups: 3, groupSize: 1, mostSteps: 2 }) };
    const own = lonely.episodes.map(episodeReward);
    expect(own.every((score) => score > 0)).toBe(true);
    const first = (name: string) => advantagesOf(name, lonely).map(([step]) => step[0]);
    for (const name of ['Dr.GRPO', 'RLOO', 'OPO', 'GPG']) expect(first(name)).toEqual(own);
    first('GRPO').forEach((value, i) => expect(value).toBeCloseTo(own[i], 5));
    expect(first('pass@k')).toEqual(own.map(() => 0));
  });

  test('GAE with γ = λ = 1 has the rewards-to-go as returns, whatever the critic says', () => {
    const { returns } = tokenGae(episodes, values, { gamma: 1, lambda: 1, gaeAcross: 'episode' });
    expectClose(returns, tokenReturns(episodes, 1));
    const steps = stepGae(episodes, values, { gamma: 1, lambda: 1 });
    steps.returns.forEach((steps, i) => expect(steps[0]).toBeCloseTo(scores[i], 9));
  });

  test('step GAE is token GAE where every step is one token', () => {
    const short = episodes.map(({ group, steps }): Episode => ({
      group,
      steps: steps.map(({ rewards }) => ({ mask: [1], rewards: [rewards[0]] })),
    }));
    const firstValues = values.map((steps) => steps.map((step) => step.slice(0, 1)));
    const settings = { gamma: 0.9, lambda: 0.8 };
    const tokens = tokenGae(short, firstValues, { ...settings, gaeAcross: 'episode' }).advantages.map((steps) =>
      steps.map(([value]) => value),
    );
    expect(stepGae(short, firstValues, settings).advantages).toEqual(tokens);
  });

  test('within a step, token GAE and bi-level GAE agree on one turn, and token GAE sees no later step', () => {
    const one = drawBatch(9, { groups: 2, groupSize: 3, mostSteps: 1 });
    const settings = { gamma: 0.97, lambda: 0.9 };
    const within = tokenGae(one.episodes, one.values, { ...settings, gaeAcross: 'step' });
    expectClose(
      within.advantages,
      tokenGae(one.episodes, one.values, { ...settings, gaeAcross: 'episode' }).advantages,
    );
    expectClose(within.advantages, biLevelGae(one.episodes, one.values, { ...settings, turnGamma: 0.5 }).advantages);
    const rewarded = rescored(episodes, (sum) => sum + 5);
    const many = episodes.findIndex(({ steps }) => steps.length > 1);
    const raw = (batch: readonly Episode[]) =>
      tokenGae(batch, values, { ...settings, gaeAcross: 'step' }).advantages[many];
    expect(raw(rewarded)[0]).toEqual(raw(episodes)[0]);
    expect(raw(rewarded).at(-1)).not.toEqual(raw(episodes).at(-1));
  });

  test('GiGPO tells steps apart that GRPO does not, and only where a state was seen twice', () => {
    const settings = { gamma: 0.9, stepWeight: 1, normalizeStd: true };
    const grpo = advantagesOf('GRPO', { episodes, anchors });
    const unique = episodes.map(({ steps }, i) => steps.map((_, k) => `${i}.${k}`));
    expectClose(gigpoAdvantages(episodes, unique, settings), grpo);
    const differs = gigpoAdvantages(episodes, anchors, settings).some((steps, i) =>
      steps.some((step, k) => step[0] !== grpo[i][k][0]),
    );
    expect(differs).toBe(true);
    expectClose(gigpoAdvantages(episodes, anchors, { ...settings, stepWeight: 0 }), grpo);
  });

  test('dynamic sampling keeps the groups whose rewards differ', () => {
    const rewards = [1, 0, 0.97, 0.97, 1, 3];
    const rollouts = [7, 5, 6, 6, 7, 5].map((group, i) => ({ group, reward: rewards[i] }));
    expect(groupsWithSignal(rollouts)).toEqual([5]);
    expect(groupsWithSignal([])).toEqual([]);
  });
});

test('the stand-in for a critic is the mean reward of the group, before every token', () => {
  const { episodes } = drawBatch(12);
  const values = groupMeanValues(episodes);
  episodes.forEach(({ group, steps }, i) => {
    const own = episodes.filter((episode) => episode.group === group).map(episodeReward);
    const mean = own.reduce((sum, score) => sum + score, 0) / own.length;
    expect(values[i].map((step) => step.length)).toEqual(steps.map(({ mask }) => mask.length));
    for (const step of values[i]) for (const value of step) expect(value).toBeCloseTo(mean, 12);
  });
});

test('mistake: credit is also reset between steps, wherever environment tokens stand in a row', () => {
  const steps = [
    { mask: [1, 1, 1], rewards: [0, 0, 0] },
    { mask: [0, 0, 0, 1], rewards: [0, 0, 0, 1] },
  ];
  const [[first]] = tokenReturns([{ group: 0, steps }], 1, true);
  expect(Array.from(first)).toEqual([0, 0, 0]);
});

test.each(algorithmNames())('what %s estimates is a column of the comparison', (name) => {
  const batch = drawBatch(5);
  const own = numbers(estimate(algorithms[name], inputOf(batch.episodes, batch), compareDefaults).advantages);
  const same = compareEstimators(batch, compareDefaults).filter(({ advantages }) =>
    numbers(advantages!).every((n, i) => n === own[i]),
  );
  expect(same).not.toEqual([]);
});

test('a batch of 16 rows through all estimators', () => {
  const batch = drawBatch(11, { groups: 4, groupSize: 4, mostSteps: 6 });
  expect(batch.episodes).toHaveLength(16);
  const timesMs = Array.from({ length: 20 }, () => {
    const startMs = performance.now();
    expect(compareEstimators(batch, compareDefaults)).toHaveLength(names.length);
    return performance.now() - startMs;
  });
  const median = timesMs.toSorted((a, b) => a - b)[10];
  console.log(
    `16 rows through ${names.length} estimators: ${timesMs[0].toFixed(2)} ms cold, ${median.toFixed(2)} ms ` +
      `median (50 ms allowed)`,
  );
});
