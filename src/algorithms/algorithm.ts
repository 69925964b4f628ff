/**
 * An RL algorithm: an estimator that turns rewards into advantages of tokens, the loss that uses them, and the settings
 * that make the two the published method. Estimators run on the CPU in float64: a batch is a few thousand numbers.
 * They know nothing of configs, models, packing or kernels.
 */
import type { KlEstimator, PolicyLossKind } from '../ops/policy-loss';
import { tokenColumns, type Episode, type TokenColumns } from './episodes/episode';
import type { Overlong } from './rewards/overlong';

/** What an estimator may read of one batch. */
export interface EstimatorInput {
  /** Rewards as shaped; the mask is 1 where credit may go. */
  readonly episodes: readonly Episode[];
  /** Score by which groups compare an episode. [episodes] */
  readonly scores: readonly number[];
  readonly groups: readonly unknown[];
  /** Key of the state that each step started from. [episodes][steps] */
  readonly anchors: readonly (readonly string[])[];
  /** The critic's estimate before each token. Only for algorithms with a critic. [episodes][steps][n] */
  readonly values?: TokenColumns;
  /** Score of the greedy rollout of each episode's task. Only for algorithms with `greedyBaseline`. [episodes] */
  readonly greedyScores?: readonly number[];
}

/** What estimators can be set to. */
export interface AlgorithmSettings {
  /** Discount, per token or per step as the estimator has it. */
  readonly gamma: number;
  /** λ of GAE. */
  readonly lambda: number;
  /** Discount per turn of bi-level GAE. */
  readonly turnGamma: number;
  /** Where token GAE starts anew: in each episode, or in each step. */
  readonly gaeAcross: 'episode' | 'step';
  /** Weight of GiGPO's step term. */
  readonly stepWeight: number;
  /** Whether group advantages are divided by the group's standard deviation. */
  readonly normalizeStd: boolean;
  /** Whether RLOO compares process rewards apart from outcomes. */
  readonly perSource: boolean;
  /** The mistake of that name (config/algorithm-schema.ts). */
  readonly creditReset: boolean;
  /** DAPO's penalty, where rewards do not have it yet; null is none. */
  readonly overlong: Overlong | null;
}

export interface Estimate {
  readonly advantages: TokenColumns;
  /** What the critic learns. Only of algorithms with a critic. */
  readonly returns?: TokenColumns;
}

export type Aggregation = 'token-mean' | 'seq-mean-token-mean' | 'seq-mean-token-sum' | 'seq-mean-token-sum-norm';

/** Settings of a run's config that an algorithm decides. */
export interface AlgorithmDefaults {
  readonly algorithm?: Partial<
    Record<'clipLow' | 'clipHigh' | 'dualClip' | 'klCoefficient' | 'klTarget' | 'epochs' | 'miniBatches', number> &
      Pick<AlgorithmSettings, 'normalizeStd' | 'gamma' | 'lambda' | 'turnGamma' | 'stepWeight'> & {
        readonly klPlace: 'loss' | 'reward';
        readonly klEstimator: KlEstimator;
        readonly gaeAcross: AlgorithmSettings['gaeAcross'];
        readonly aggregation: Aggregation;
      }
  >;
  readonly filter?: { readonly strategy?: 'none' | 'signal'; readonly refill?: number };
  readonly shaping?: { readonly process?: 'as-given' | 'scaled' | 'per-source'; readonly overlong?: number };
  readonly optimizer?: { readonly fresh?: boolean };
  readonly critic?: {
    readonly network?: 'shared' | 'separate';
    readonly learningRate?: number;
    readonly epochs?: number;
    readonly warmup?: number;
  };
}

/** A column of *Compare estimators*. */
export interface Column {
  readonly name: string;
  /** At most eight characters, for the head of the column. */
  readonly short: string;
  readonly formula: string;
  /** One sentence for the page. */
  readonly about: string;
  /** What a reward is compared with. */
  readonly kind: 'group' | 'return' | 'critic';
  /** Tokens weigh or discount rewards, so rollouts of unknown length have no such advantage. */
  readonly byTokens?: true;
  /** Settings that the column keeps, whatever the run has. */
  readonly settings?: Partial<AlgorithmSettings>;
}

/** A column and how it is computed. */
export interface Estimator extends Column {
  estimate(input: EstimatorInput, settings: AlgorithmSettings): Estimate;
}

export interface Algorithm {
  readonly title: string;
  /** Title of the algorithm that it changes in a detail: tables that compare methods show that one alone. */
  readonly variantOf?: string;
  readonly loss: PolicyLossKind;
  /** What one ratio, and one weight of the `seq-mean` aggregations, belongs to: a segment if not given. */
  readonly sequence?: 'segment' | 'step';
  /** Where the critic learns: at every agent token or before the first token of each step. Without it, no critic. */
  readonly critic?: 'token' | 'step';
  /** Whether each task is also attempted once greedily. */
  readonly greedyBaseline?: boolean;
  /** What makes it itself; settings that are not named are neutral (config/with-algorithm.ts). */
  readonly defaults?: AlgorithmDefaults;
  /** Settings of the estimator that the config cannot change. */
  readonly fixed?: Partial<AlgorithmSettings>;
  /** Algorithms with the same estimator share its columns. */
  readonly columns: readonly Column[];
  estimate(input: EstimatorInput, settings: AlgorithmSettings): Estimate;
}

/** An algorithm's estimate under a run's settings. */
export function estimate(algorithm: Algorithm, input: EstimatorInput, settings: AlgorithmSettings): Estimate {
  return algorithm.estimate(input, { ...settings, ...algorithm.fixed });
}

/** An estimate in which all credited tokens of an episode have its advantage. */
export function perEpisode({ episodes }: EstimatorInput, advantages: ArrayLike<number>): Estimate {
  return { advantages: tokenColumns(episodes, (i) => advantages[i]) };
}
