import type { KillReason } from '../agent/sandbox';
import type { Diagnostics } from './diagnostics/diagnostics';

/** What one iteration reports. Plain numbers; a metric that cannot be computed this iteration is null, never NaN. */
export interface Metrics {
  readonly iteration: number;
  /** Greedy success on the validation set, 0 … 1; null in iterations that did not validate. */
  readonly validationSuccess: number | null;
  /** Success of the sampled rollouts, 0 … 1. */
  readonly success: number;
  readonly rewardMean: number;
  /** Mean over groups of the unbiased standard deviation of rewards. */
  readonly rewardStd: number;
  /** Share of groups whose rewards are all equal: they teach nothing. */
  readonly zeroSignalGroups: number;
  /** Nats a token. */
  readonly entropy: number;
  /**
   * k3 estimate of KL(policy ‖ starting weights), nats a token: over all sampled tokens where the iteration validates
   * or KL is trained on, else over an even share of them.
   */
  readonly kl: number;
  readonly clipFraction: number;
  readonly policyLoss: number;
  readonly gradientNorm: number;
  readonly learningRate: number;
  /** Mean steps a trajectory. */
  readonly turns: number;
  /** Share of tool calls that ran without an error; null if no call was made. */
  readonly toolCallSuccess: number | null;
  /** Mean agent tokens a trajectory. */
  readonly responseLength: number;
  /** Share of actions cut by the token budget. */
  readonly truncated: number;
  /** Tool calls and rewards that were stopped, by the limit they ran into. */
  readonly killed: Readonly<Record<KillReason, number>>;
  /** Share of rollouts that ended because the environment failed. */
  readonly environmentFailures: number;
  /** Updates left out because a gradient was not finite. */
  readonly skippedUpdates: number;
  /** Mean of each named reward term, unweighted. */
  readonly rewardTerms: Readonly<Record<string, number>>;
  readonly sampledTokens: number;
  readonly trainedTokens: number;
  readonly sampleTokensPerSecond: number;
  readonly trainTokensPerSecond: number;
  readonly sampleMs: number;
  readonly environmentMs: number;
  readonly trainMs: number;
  readonly evaluateMs: number;
  /** Absent in logs and recordings of earlier versions. */
  readonly diagnostics?: Diagnostics;
}

/** A rollout as the page and the log show it: columns of equal length, one entry a token, prompt of step 1 first. */
export interface RolloutView {
  readonly iteration: number;
  readonly index: number;
  readonly group: number;
  readonly taskId: string;
  readonly prompt: string;
  readonly reward: number;
  readonly advantage: number;
  readonly success: boolean;
  readonly end: string;
  readonly answer?: string;
  readonly steps: readonly StepView[];
}

export interface StepView {
  /** Prompt tokens that are new in this step (the whole prompt in step 1 or when the context was rewritten). */
  readonly promptTokens: readonly number[];
  /** True if the prompt extends the step before token for token. */
  readonly continues: boolean;
  readonly tokens: readonly number[];
  readonly logProbs: readonly number[];
  readonly entropies: readonly number[];
  /** Advantage of each action token as the trainer used it. */
  readonly advantages: readonly number[];
  /** 1 where the token is in the loss, for promptTokens then tokens. */
  readonly lossMask: readonly number[];
  readonly text: string;
  readonly messages: readonly { readonly role: string; readonly content: string }[];
  readonly toolCalls: readonly {
    readonly name: string;
    readonly arguments: unknown;
    readonly result: string;
    readonly error?: string;
    readonly killed?: KillReason;
    readonly fuel?: number;
    readonly reward?: number;
  }[];
  readonly rewards: Readonly<Record<string, number>>;
  readonly error?: string;
  /** Set if the reward that follows this step was stopped. */
  readonly killed?: KillReason;
  /** Set if a tool or the reward failed: why, and where. */
  readonly problem?: string;
}
