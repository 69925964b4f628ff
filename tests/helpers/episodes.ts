/**
 * Batches of episodes for property tests: drawn from a seed, in groups, with environment tokens between an agent's and
 * NaN on them.
 */
import type { Episode } from '../../src/algorithms/episodes/episode';
import { permutation, Purpose, uniform } from '../../src/lib/rng';

export interface DrawnBatch {
  readonly episodes: Episode[];
  readonly anchors: string[][];
  readonly values: Float64Array[][];
  readonly greedyScores: number[];
}

export interface BatchShape {
  readonly groups: number;
  readonly groupSize: number;
  readonly mostSteps: number;
}

/**
 * Rewards stand on the last agent token of steps; what is on an environment token is NaN, which no estimator may read.
 */
export function drawBatch(
  seed: number,
  { groups, groupSize, mostSteps }: BatchShape = { groups: 4, groupSize: 4, mostSteps: 4 },
): DrawnBatch {
  const draw = (a: number, b = 0, c = 0) => uniform(seed, Purpose.environment, a, b, c);
  const rows = Array.from({ length: groups * groupSize }, (_, i) => {
    const steps = Array.from({ length: 1 + Math.floor(draw(i) * mostSteps) }, (_, k) => {
      const agent = 1 + Math.floor(draw(i, k, 1) * 6);
      const mask = new Uint8Array(agent + Math.floor(draw(i, k, 2) * 4)).fill(1, 0, agent);
      const rewards = new Float64Array(mask.length).fill(0, 0, agent).fill(NaN, agent);
      rewards[agent - 1] = Math.round(8 * draw(i, k, 3)) / 8;
      const values = Float64Array.from(mask, (m, t) => (m === 1 ? draw(i, k, 10 + t) - 0.5 : NaN));
      return { mask, rewards, values, anchor: k === 0 ? 'start' : `state ${Math.floor(draw(i, k, 4) * 2)}` };
    });
    return { group: i % groups, steps };
  });
  return {
    episodes: rows.map(({ group, steps }) => ({ group, steps: steps.map(({ mask, rewards }) => ({ mask, rewards })) })),
    anchors: rows.map(({ steps }) => steps.map(({ anchor }) => anchor)),
    values: rows.map(({ steps }) => steps.map(({ values }) => values)),
    greedyScores: rows.map(({ group }) => draw(1000 + group)),
  };
}

/** The same batch with its rows in another order; `order[j]` is where row j was. */
export function shuffled(batch: DrawnBatch, seed: number): { batch: DrawnBatch; order: number[] } {
  const order = [...permutation(batch.episodes.length, seed, Purpose.shuffle)];
  const pick = <T>(rows: readonly T[]): T[] => order.map((i) => rows[i]);
  const { episodes, anchors, values, greedyScores } = batch;
  return {
    order,
    batch: {
      episodes: pick(episodes),
      anchors: pick(anchors),
      values: pick(values),
      greedyScores: pick(greedyScores),
    },
  };
}

/** Episodes whose last agent token's reward is changed so that their sum becomes `wanted(sum, i)`. */
export function rescored(episodes: readonly Episode[], wanted: (sum: number, i: number) => number): Episode[] {
  return episodes.map(({ group, steps }, i) => {
    const sums = steps.map(({ mask, rewards }) =>
      Array.from(rewards).reduce((sum, reward, t) => (mask[t] === 1 ? sum + reward : sum), 0),
    );
    const sum = sums.reduce((total, own) => total + own, 0);
    return {
      group,
      steps: steps.map(({ mask, rewards }, k) => {
        const changed = Float64Array.from(rewards);
        if (k === steps.length - 1) changed[Array.from(mask).lastIndexOf(1)] += wanted(sum, i) - sum;
        return { mask, rewards: changed };
      }),
    };
  });
}

/** Episodes with one reward each, at the end. */
export function outcomes(episodes: readonly Episode[], reward: (i: number) => number): Episode[] {
  const silent = episodes.map(({ group, steps }) => ({
    group,
    steps: steps.map(({ mask, rewards }) => ({
      mask,
      rewards: Float64Array.from(rewards, (_, t) => (mask[t] === 1 ? 0 : NaN)),
    })),
  }));
  return rescored(silent, (_, i) => reward(i));
}
