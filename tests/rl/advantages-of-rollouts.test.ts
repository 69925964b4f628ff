/**
 * Logged rollouts as episodes, and the three known mistakes: what each does to the numbers, and that nothing does it
 * unasked.
 */
import { expect, test } from 'vitest';
import { compareDefaults, compareEstimators } from '../../src/algorithms/compare';
import { episodeReward } from '../../src/algorithms/episodes/episode';
import type { Mistakes } from '../../src/config/algorithm-schema';
import { tokenReturns } from '../../src/algorithms/episodes/returns';
import { rolloutEpisodes, rolloutSources, type Reading } from '../../src/rl/rollouts/rollout-episodes';
import type { RolloutView } from '../../src/rl/rollouts/view';
import { rolloutView } from '../../src/rl/rollouts/view';
import { appended, creditsOf, rewritten, step, trajectory } from '../helpers/trajectories';

const noMistakes: Mistakes = { creditReset: false, rewardOnToolToken: false, wrongGroups: false };
const reading: Reading = { weights: { correct: 1, format: 0.1 }, advantageMask: true, mistakes: noMistakes };
const mistaken = (mistake: keyof Mistakes): Reading => ({ ...reading, mistakes: { ...noMistakes, [mistake]: true } });
const call = { name: 'calc', arguments: {}, result: '3' };
const paid = [
  step([10, 11], [20, 21], { rewards: { format: 1 }, toolCalls: [call] }),
  { ...appended[1], rewards: { correct: 1 } },
];
const cut = [step([10, 11], [20, 21], { rewards: { format: 1 }, toolCalls: [call] })];

function views(trajectories: readonly ReturnType<typeof trajectory>[]): RolloutView[] {
  const credits = creditsOf(trajectories);
  return trajectories.map((each, index) => rolloutView(each, { iteration: 1, index }, credits[index], true));
}

test('a step’s reward lands on its last action token, and rewards add up to the rollout’s', () => {
  const rollouts = views([trajectory(0, 1.1, paid), trajectory(0, 0.1, cut)]);
  const { episodes } = rolloutEpisodes(rollouts, reading);
  expect(episodes.map(({ steps }) => steps.map(({ mask }) => Array.from(mask)))).toEqual([
    [[1, 1, 0, 0, 0], [1]],
    [[1, 1, 0]],
  ]);
  expect(Array.from(episodes[0].steps[0].rewards)).toEqual([0, 0.1, 0, 0, 0]);
  expect(episodes.map(episodeReward)).toEqual([1.1, 0.1]);
});

test('terms without a weight count at the end', () => {
  const { episodes } = rolloutEpisodes(views([trajectory(0, 1.1, paid)]), { ...reading, weights: { correct: 1 } });
  expect(episodes[0].steps.map(({ rewards }) => Array.from(rewards))).toEqual([[0, 0, 0, 0, 0], [1.1]]);
});

test('a trajectory and the rollout that is logged of it are the same episode', () => {
  const batch = [
    trajectory(0, 1.1, paid),
    trajectory(0, 0.1, cut),
    trajectory(1, 0, rewritten),
    trajectory(1, 2, appended),
    trajectory(2, 0, []),
  ];
  for (const advantageMask of [true, false]) {
    const logged = rolloutEpisodes(views(batch), { ...reading, advantageMask });
    expect(rolloutEpisodes(rolloutSources(batch), { ...reading, advantageMask }).episodes).toEqual(logged.episodes);
  }
});

test('without the advantage mask the environment’s tokens act as actions, and spend discount', () => {
  const returns = (advantageMask: boolean) => {
    const { episodes } = rolloutEpisodes(views([trajectory(0, 1, appended)]), { ...reading, advantageMask });
    return tokenReturns(episodes, 0.5)[0].map((step) => Array.from(step));
  };
  expect(returns(true)).toEqual([[0.25, 0.5, 0, 0, 0], [1]]);
  expect(returns(false)).toEqual([[1 / 32, 1 / 16, 1 / 8, 1 / 4, 1 / 2], [1]]);
});

test('anchors are what the environment showed last: equal for equal tasks, whatever the agent wrote', () => {
  const { anchors } = rolloutEpisodes(
    views([trajectory(0, 1, appended), trajectory(0, 0, [step([10, 11], [25]), appended[1]])]),
    reading,
  );
  expect(anchors[0][0]).toBe(anchors[1][0]);
  expect(anchors[0][1]).not.toBe(anchors[0][0]);
});

test('the comparison’s GRPO is what the trainer trained with', () => {
  const rollouts = views([
    trajectory(0, 1, appended),
    trajectory(0, 0, rewritten),
    trajectory(1, 0.5, cut),
    trajectory(1, 2, appended),
  ]);
  const [first] = compareEstimators(rolloutEpisodes(rollouts, reading), compareDefaults);
  expect(first.name).toBe('GRPO');
  rollouts.forEach(({ steps }, i) =>
    steps.forEach(({ advantages, tokens }, k) =>
      expect(Array.from(first.advantages![i][k].subarray(0, tokens.length))).toEqual(advantages),
    ),
  );
});

test('mistake: credit reset leaves the first turn of REINFORCE++ without the outcome', () => {
  const { episodes } = rolloutEpisodes(views([trajectory(0, 1, appended), trajectory(0, 1, rewritten)]), {
    ...reading,
    weights: { correct: 1 },
  });
  const firstTurns = (resetAtEnvironment: boolean) =>
    tokenReturns(episodes, 1, resetAtEnvironment).map(([turn]) => Array.from(turn.subarray(0, 2)));
  expect(firstTurns(false)).toEqual([
    [1, 1],
    [1, 1],
  ]);
  expect(firstTurns(true)).toEqual([
    [0, 0],
    [0, 0],
  ]);
});

test('mistake: a reward on a tool token is lost, one on an answer is not', () => {
  const rollouts = views([trajectory(0, 1.1, paid), trajectory(0, 0.1, cut)]);
  const { episodes } = rolloutEpisodes(rollouts, mistaken('rewardOnToolToken'));
  expect(episodes[0].steps[0].rewards[4]).toBe(0.1);
  expect(episodes.map(episodeReward)).toEqual([1, 0]);
});

test('mistake: with wrong groups GRPO is the reward itself', () => {
  const rollouts = views([trajectory(0, 1, appended), trajectory(0, 0, appended)]);
  const batch = rolloutEpisodes(rollouts, mistaken('wrongGroups'));
  const [grpoColumn] = compareEstimators(batch, compareDefaults);
  expect(grpoColumn.advantages!.map(([turn]) => turn[0])).toEqual([1 / (1 + 1e-6), 0]);
});

test('ReMax says what it lacks, and is there once it has it', () => {
  const batch = rolloutEpisodes(views([trajectory(0, 1, appended), trajectory(0, 0, appended)]), reading);
  const remax = (more: object) =>
    compareEstimators({ ...batch, ...more }, compareDefaults).find(({ name }) => name === 'ReMax')!;
  expect(remax({})).toMatchObject({ advantages: null, missing: 'needs the score of a greedy rollout of each task' });
  expect(remax({ greedyScores: [0.25, 0.25] }).advantages!.map(([turn]) => turn[0])).toEqual([0.75, -0.25]);
});
