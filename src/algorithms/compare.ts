/**
 * The same batch through the estimators of all algorithms, side by side. Advantages only: losses, aggregation and
 * clipping are not compared.
 */
import { episodeReward, type Episode, type TokenColumns } from './episodes/episode';
import { meanAndStd, perGroup } from './episodes/groups';
import type { Algorithm, AlgorithmSettings, Column, Estimator } from './algorithm';
import { passK } from './pass-k';
import { algorithms, type AlgorithmName } from './table';

export interface ComparedBatch {
  readonly episodes: readonly Episode[];
  /** Key of the state each step started from. [episodes][steps] */
  readonly anchors: readonly (readonly string[])[];
  /** Score of the greedy rollout of each episode's task, where one was made. [episodes] */
  readonly greedyScores?: readonly number[];
  /** A critic's estimates; without them, `groupMeanValues` stand in. [episodes][steps][n] */
  readonly values?: TokenColumns;
}

export const compareDefaults: AlgorithmSettings = {
  gamma: 0.99,
  lambda: 0.95,
  turnGamma: 0.95,
  gaeAcross: 'episode',
  stepWeight: 1,
  normalizeStd: true,
  perSource: false,
  creditReset: false,
  overlong: null,
};

export interface ComparedEstimator extends Omit<Column, 'settings'> {
  /** Null where the batch lacks something; then `missing` says what. Masked tokens are exactly 0. */
  readonly advantages: TokenColumns | null;
  readonly missing?: string;
}

/** Every column once, by kind and then in the table's order; `algorithm` is the first that trains with it. */
function estimators(): (Estimator & { readonly algorithm?: Algorithm })[] {
  const found = new Map<Column, Estimator & { readonly algorithm?: Algorithm }>();
  for (const algorithm of Object.values(algorithms)) {
    for (const column of algorithm.columns) {
      const settings = { ...algorithm.fixed, ...column.settings };
      if (!found.has(column)) found.set(column, { ...column, settings, estimate: algorithm.estimate, algorithm });
    }
  }
  const all = [...found.values(), passK];
  return (['group', 'return', 'critic'] as const).flatMap((kind) => all.filter((each) => each.kind === kind));
}

/** Every estimator's advantages of one batch, in a fixed order. */
export function compareEstimators(batch: ComparedBatch, settings: AlgorithmSettings): ComparedEstimator[] {
  const { episodes } = batch;
  const input = {
    ...batch,
    values: batch.values ?? groupMeanValues(episodes),
    scores: episodes.map(episodeReward),
    groups: episodes.map(({ group }) => group),
  };
  return estimators().map(({ algorithm, estimate, settings: kept, ...column }) => {
    if (algorithm?.greedyBaseline && !batch.greedyScores)
      return { ...column, advantages: null, missing: 'needs the score of a greedy rollout of each task' };
    return { ...column, advantages: estimate(input, { ...settings, ...kept }).advantages };
  });
}

/** The head of the column that an algorithm trains with; null if its settings make its estimate one in no column. */
export function ownColumn(name: AlgorithmName, settings: AlgorithmSettings): string | null {
  const { estimate, fixed } = algorithms[name];
  const own: AlgorithmSettings = { ...settings, ...fixed };
  const found = estimators().find(
    (each) =>
      each.estimate === estimate &&
      Object.entries(each.settings ?? {}).every(([key, value]) => own[key as keyof AlgorithmSettings] === value),
  );
  return found?.short ?? null;
}

/** The stand-in for a critic: the mean score of an episode's group, before every token. */
export function groupMeanValues(episodes: readonly Episode[]): Float64Array[][] {
  const groups = episodes.map(({ group }) => group);
  const means = perGroup(episodes.map(episodeReward), groups, (own) => own.map(() => meanAndStd(own).mean));
  return episodes.map(({ steps }, i) => steps.map(({ mask }) => new Float64Array(mask.length).fill(means[i])));
}
