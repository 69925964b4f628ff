/**
 * From trajectories to credit: the batch that an algorithm's estimator reads, and what it says, cut into actions and
 * answers. Not here: estimators (advantages/), which one is run (algorithms/), and scoring by a model (measure.ts).
 */
import type { Trajectory } from '../../agent/types';
import { episodeReward, type Episode, type TokenColumns } from '../episodes/episode';
import { trajectoryEpisodes } from '../rollouts/rollout-episodes';
import type { Algorithm, Credit, CreditBatch, Estimate } from '../algorithms/algorithm';
import type { RunConfig } from '../config/config';
import { explainedVariance } from '../diagnostics/explained-variance';
import { spread } from '../episodes/groups';
import { penaliseKl } from '../rewards/kl-penalty';
import { leavesRewards, shapeRewards } from '../rewards/shaping';

/** What the model says of each token of an episode's steps. [episodes][steps][action and answer tokens] */
export interface TokenScores {
  readonly logProbs: TokenColumns;
  readonly referenceLogProbs: TokenColumns;
  readonly values?: TokenColumns;
}

export interface CreditInputs {
  readonly trajectories: readonly Trajectory[];
  /** The greedy rollout of each trajectory's task, where the algorithm wants one. */
  readonly greedy?: readonly Trajectory[];
  /** Weight of each reward term. */
  readonly weights: Readonly<Record<string, number>>;
  /** Of the KL in the reward; 0 where it is in the loss. */
  readonly klCoefficient: number;
  readonly scores: TokenScores;
}

/** @throws never: what an algorithm lacks, its estimator says */
export function creditBatch(inputs: CreditInputs, config: RunConfig): CreditBatch {
  const { trajectories, greedy, weights, klCoefficient, scores } = inputs;
  const { algorithm, mistakes, shaping } = config;
  const reading = { weights, advantageMask: algorithm.advantageMask, mistakes };
  const read = (of: readonly Trajectory[]) => {
    const { episodes, anchors } = trajectoryEpisodes(of, reading);
    return { episodes: shapeRewards(of, episodes, shaping), anchors };
  };
  const { episodes: shaped, anchors } = read(trajectories);
  const penalty = { estimator: algorithm.klEstimator, beta: klCoefficient };
  const episodes =
    klCoefficient > 0 ? penaliseKl(shaped, scores.logProbs, scores.referenceLogProbs, penalty).episodes : shaped;
  // Where nothing changes rewards, a trajectory's own sum is exact and their sum over tokens may round.
  const asGiven = leavesRewards(shaping) && klCoefficient === 0 && !mistakes.rewardOnToolToken;
  return {
    episodes,
    anchors,
    groups: episodes.map(({ group }) => group),
    scores: asGiven ? trajectories.map(({ reward }) => reward) : episodes.map(episodeReward),
    ...(scores.values && { values: scores.values }),
    ...(greedy && { greedyScores: read(greedy).episodes.map(episodeReward) }),
  };
}

/** The estimate of each trajectory's tokens, in their order. */
export function cutCredits(
  trajectories: readonly Trajectory[],
  { episodes, values }: CreditBatch,
  { advantages, returns }: Estimate,
  level: Algorithm['critic'],
): Credit[] {
  return trajectories.map(({ steps }, i): Credit => {
    const actions = steps.map(({ action }, k) => advantages[i][k].slice(0, action.tokens.length));
    const written = actions.flatMap((column) => Array.from(column));
    return {
      advantage: written.length === 0 ? 0 : spread(written).mean,
      actions,
      environment: steps.map(({ action }, k) => advantages[i][k].slice(action.tokens.length)),
      ...(values &&
        returns && {
          critic: {
            values: values[i],
            returns: returns[i],
            trained: episodes[i].steps.map(({ mask }) => trained(mask, level)),
          },
        }),
    };
  });
}

/** Credit of a trajectory that is not learned from. */
export function noCredit({ steps }: Trajectory): Credit {
  return {
    advantage: 0,
    actions: steps.map(({ action }) => new Float64Array(action.tokens.length)),
    environment: steps.map((_, k) => new Float64Array(steps[k + 1]?.prompt.length ?? 0)),
  };
}

/** How much of the returns the critic foresaw where it learns; null without a critic or without returns that differ. */
export function foreseen(credits: readonly Credit[]): number | null {
  const values: number[] = [];
  const returns: number[] = [];
  for (const { critic } of credits) {
    critic?.trained.forEach((flags, k) =>
      flags.forEach((flag, t) => {
        if (flag === 0) return;
        values.push(critic.values[k][t]);
        returns.push(critic.returns[k][t]);
      }),
    );
  }
  return values.length === 0 ? null : explainedVariance(values, returns);
}

function trained(mask: Episode['steps'][number]['mask'], level: Algorithm['critic']): Uint8Array {
  return Uint8Array.from(mask, (flag, t) => (level === 'step' ? Number(t === 0) : flag));
}
