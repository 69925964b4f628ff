/** What an algorithm estimates of episodes as they are, by settings that are a test's own. */
import { estimate, type AlgorithmSettings, type Estimate, type EstimatorInput } from '../../src/algorithms/algorithm';
import { compareDefaults } from '../../src/algorithms/compare';
import { algorithms, type AlgorithmName } from '../../src/algorithms/table';
import { episodeReward, type Episode } from '../../src/algorithms/episodes/episode';

type More = Partial<Pick<EstimatorInput, 'anchors' | 'values' | 'greedyScores'>>;

export const inputOf = (episodes: readonly Episode[], more: More = {}): EstimatorInput => ({
  episodes,
  scores: episodes.map(episodeReward),
  groups: episodes.map(({ group }) => group),
  anchors: [],
  ...more,
});

export const estimateOf = (
  name: AlgorithmName,
  episodes: readonly Episode[],
  settings: Partial<AlgorithmSettings> = {},
  more: More = {},
): Estimate => estimate(algorithms[name], inputOf(episodes, more), { ...compareDefaults, ...settings });
