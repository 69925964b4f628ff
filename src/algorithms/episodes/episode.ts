/**
 * What advantage estimators read and write: episodes of steps, a step being the tokens of one response and of the
 * environment's answer. rollouts/rollout-episodes.ts makes them of trajectories.
 */
import { sum } from '../../lib/mean';

/** Columns of equal length, one entry a token. */
export interface EpisodeStep {
  /** 1 for tokens that carry credit, those the agent wrote; 0 for the environment's and for padding. [n] */
  readonly mask: ArrayLike<number>;
  /** Reward of each token; never read where the mask is 0. [n] */
  readonly rewards: ArrayLike<number>;
}

export interface Episode {
  /** Episodes of one task share a group, compared with ===. */
  readonly group: unknown;
  /** In the order in which they happened; may be empty. */
  readonly steps: readonly EpisodeStep[];
}

/** One number a token: advantages, returns, values. [episodes][steps][n] */
export type TokenColumns = readonly (readonly Float64Array[])[];
/** The same as an input. */
export type TokenInputs = readonly (readonly ArrayLike<number>[])[];

/** Sum of a step's rewards at tokens that carry credit. */
export function stepReward({ mask, rewards }: EpisodeStep): number {
  let sum = 0;
  for (let t = 0; t < mask.length; t++) if (mask[t] === 1) sum += rewards[t];
  return sum;
}

/** The score by which groups compare an episode: all its rewards. */
export function episodeReward({ steps }: Episode): number {
  return sum(steps.map(stepReward));
}

/** Tokens that carry credit. */
export function creditedTokens({ steps }: Episode): number {
  return steps.flatMap(({ mask }) => Array.from(mask)).filter((flag) => flag === 1).length;
}

/** A number for every token: 0 at masked tokens, elsewhere `value` of episode i, step k, token t. */
export function tokenColumns(
  episodes: readonly Episode[],
  value: (i: number, k: number, t: number) => number,
): Float64Array[][] {
  return episodes.map(({ steps }, i) =>
    steps.map(({ mask }, k) => {
      const column = new Float64Array(mask.length);
      for (let t = 0; t < mask.length; t++) if (mask[t] === 1) column[t] = value(i, k, t);
      return column;
    }),
  );
}

/** The same episodes with other rewards: 0 at masked tokens, elsewhere those of `reward`. */
export function withRewards(
  episodes: readonly Episode[],
  reward: (i: number, k: number, t: number) => number,
): Episode[] {
  const rewards = tokenColumns(episodes, reward);
  return episodes.map(({ group, steps }, i) => ({
    group,
    steps: steps.map(({ mask }, k) => ({ mask, rewards: rewards[i][k] })),
  }));
}

/** Visits an episode's credited tokens from the last to the first, as every reward-to-go must be summed. */
export function walkBack({ steps }: Episode, visit: (k: number, t: number) => void): void {
  for (let k = steps.length - 1; k >= 0; k--) {
    const { mask } = steps[k];
    for (let t = mask.length - 1; t >= 0; t--) if (mask[t] === 1) visit(k, t);
  }
}
