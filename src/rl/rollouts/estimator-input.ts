/**
 * From rollouts to what an estimator reads: rewards as the config shapes them, with KL taken off where it is in the
 * reward.
 */
import type { EstimatorInput } from '../../algorithms/algorithm';
import type { RunConfig } from '../../config/config';
import { episodeReward, type TokenColumns } from '../../algorithms/episodes/episode';
import { penaliseKl } from '../../algorithms/rewards/kl-penalty';
import { leavesRewards, shapeRewards } from '../../algorithms/rewards/shaping';
import { rolloutEpisodes, type RolloutSource } from './rollout-episodes';

/** What the model says of each token of an episode's steps. [episodes][steps][action and answer tokens] */
export interface TokenScores {
  readonly logProbs: TokenColumns;
  readonly referenceLogProbs: TokenColumns;
  readonly values?: TokenColumns;
}

/**
 * @param inputs.greedy the greedy rollout of each rollout's task, where the algorithm wants one
 * @param inputs.weights of reward terms
 * @param inputs.klCoefficient of the KL in the reward; 0 where it is in the loss
 */
export function estimatorInput(
  inputs: {
    readonly rollouts: readonly RolloutSource[];
    readonly greedy?: readonly RolloutSource[];
    readonly weights: Readonly<Record<string, number>>;
    readonly klCoefficient: number;
    readonly scores: TokenScores;
  },
  config: RunConfig,
): EstimatorInput {
  const { rollouts, greedy, weights, klCoefficient, scores } = inputs;
  const { algorithm, mistakes, shaping } = config;
  const reading = { weights, advantageMask: algorithm.advantageMask, mistakes };
  const read = (of: readonly RolloutSource[]) => {
    const { episodes, anchors } = rolloutEpisodes(of, reading);
    return { episodes: shapeRewards(of, episodes, shaping), anchors };
  };
  const { episodes: shaped, anchors } = read(rollouts);
  const penalty = { estimator: algorithm.klEstimator, beta: klCoefficient };
  const episodes = klCoefficient > 0 ? penaliseKl(shaped, scores.logProbs, scores.referenceLogProbs, penalty) : shaped;
  // Where nothing changes rewards, a rollout's own sum is exact and their sum over tokens may round.
  const asGiven = leavesRewards(shaping) && klCoefficient === 0 && !mistakes.rewardOnToolToken;
  return {
    episodes,
    anchors,
    groups: episodes.map(({ group }) => group),
    scores: asGiven ? rollouts.map(({ reward }) => reward) : episodes.map(episodeReward),
    ...(scores.values && { values: scores.values }),
    ...(greedy && { greedyScores: read(greedy).episodes.map(episodeReward) }),
  };
}
