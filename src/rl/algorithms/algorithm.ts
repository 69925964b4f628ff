/**
 * What an RL algorithm is here: an estimator that turns rewards into advantages of tokens, the loss that uses them, and
 * the settings under which the two are the published method. Advantages are a few thousand numbers, so they are
 * computed on the CPU in float64. Deliberately knows nothing of packing, kernels, optimizers, how trajectories were
 * sampled or how rewards were shaped.
 */
import type { PolicyLossKind } from '../../ops/policy-loss';
import type { Episode, TokenColumns } from '../episodes/episode';
import type { RunConfig } from '../config/config';

/** Credit of one trajectory. A step's columns are its action's tokens, or the environment's that follow them. */
export interface Credit {
  /** One number for lists and charts: the mean advantage of the trajectory's agent tokens. */
  readonly advantage: number;
  /** Advantage of each token the agent wrote. [steps][action tokens] */
  readonly actions: readonly Float64Array[];
  /**
   * Advantage of each environment token that follows an action; used only where the loss mask is off. [steps][answer
   * tokens]
   */
  readonly environment: readonly Float64Array[];
  /** Present if there is a critic. */
  readonly critic?: CriticTargets;
}

/** What the critic said and learns, over a step's action tokens, then those of the answer. [steps][tokens] */
export interface CriticTargets {
  readonly values: readonly Float64Array[];
  readonly returns: readonly Float64Array[];
  /** 1 where the critic learns. */
  readonly trained: readonly Uint8Array[];
}

/** All that an estimator may read of one batch of trajectories. */
export interface CreditBatch {
  /** Rewards as shaped; the mask is 1 where credit may go. */
  readonly episodes: readonly Episode[];
  /** Score by which groups compare an episode. [episodes] */
  readonly scores: readonly number[];
  readonly groups: readonly unknown[];
  /** Key of the state that each step started from. [episodes][steps] */
  readonly anchors: readonly (readonly string[])[];
  /** The critic's estimate before each token. Only for algorithms with a critic. */
  readonly values?: TokenColumns;
  /** Score of the greedy rollout of each episode's task [episodes]. Only for algorithms that ask for it. */
  readonly greedyScores?: readonly number[];
}

export interface Estimate {
  readonly advantages: TokenColumns;
  /** What the critic learns. Only of algorithms with a critic. */
  readonly returns?: TokenColumns;
}

/** Sections of a config that an algorithm may have a say in. */
export type AlgorithmSettings = {
  readonly [K in 'algorithm' | 'filter' | 'shaping' | 'optimizer']?: Partial<RunConfig[K]>;
};

export interface Algorithm {
  readonly title: string;
  readonly kind: PolicyLossKind;
  /** What one ratio, and one weight of the `seq-mean` aggregations, belongs to. */
  readonly sequence: 'segment' | 'step';
  /** Where the critic learns: at every agent token, before the first token of each step, or there is none. */
  readonly critic: 'token' | 'step' | null;
  /** Whether each task is also attempted once greedily. */
  readonly greedyBaseline: boolean;
  /** What makes it itself; settings that are not named are neutral (by-name.ts). */
  readonly defaults: AlgorithmSettings;
  estimate(batch: CreditBatch, config: RunConfig): Estimate;
}
