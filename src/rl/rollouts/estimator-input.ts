/**
 * From trajectories to what an estimator reads: rewards as the config shapes them, with KL taken off where it is in the
 * reward.
 */
import type { Trajectory } from '../../agent/types';
import type { EstimatorInput } from '../algorithms/algorithm';
import type { RunConfig } from '../config/config';
import { episodeReward, type TokenColumns } from '../episodes/episode';
import { penaliseKl } from '../rewards/kl-penalty';
import { leavesRewards, shapeRewards } from '../rewards/shaping';
import { trajectoryEpisodes } from './rollout-episodes';

/** What the model says of each token of an episode's steps. [episodes][steps][action and answer tokens] */
export interface TokenScores {
  readonly logProbs: TokenColumns;
  readonly referenceLogProbs: TokenColumns;
  readonly values?: TokenColumns;
}

/**
 * @param inputs.greedy the greedy rollout of each trajectory's task, where the algorithm wants one
 * @param inputs.weights of reward terms
 * @param inputs.klCoefficient of the KL in the reward; 0 where it is in the loss
 */
export function estimatorInput(
  inputs: {
    readonly trajectories: readonly Trajectory[];
    readonly greedy?: readonly Trajectory[];
    readonly weights: Readonly<Record<string, number>>;
    readonly klCoefficient: number;
    readonly scores: TokenScores;
  },
  config: RunConfig,
): EstimatorInput {
  const { trajectories, greedy, weights, klCoefficient, scores } = inputs;
  const { algorithm, mistakes, shaping } = config;
  const reading = { weights, advantageMask: algorithm.advantageMask, mistakes };
  const read = (of: readonly Trajectory[]) => {
    const { episodes, anchors } = trajectoryEpisodes(of, reading);
    return { episodes: shapeRewards(of, episodes, shaping), anchors };
  };
  const { episodes: shaped, anchors } = read(trajectories);
  const penalty = { estimator: algorithm.klEstimator, beta: klCoefficient };
  const episodes = klCoefficient > 0 ? penaliseKl(shaped, scores.logProbs, scores.referenceLogProbs, penalty) : shaped;
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
