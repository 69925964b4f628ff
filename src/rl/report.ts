/** What one iteration reports. A metric that cannot be computed is null, never NaN. */
import type { Diagnostics } from './diagnostics/diagnostics';
import type { UpdateReport } from './learner/update';
import type { Rollouts } from './rollouts/collect';
import type { RolloutMetrics } from './rollouts/metrics';

export interface Metrics extends RolloutMetrics {
  readonly iteration: number;
  /** Greedy success on the validation set, 0 … 1; null in iterations that did not validate. */
  readonly validationSuccess: number | null;
  /**
   * k3 estimate of KL(policy ‖ reference), nats a token: over all sampled tokens where the iteration validates or KL is
   * trained on, else over an even share of them.
   */
  readonly kl: number;
  readonly clipFraction: number;
  readonly policyLoss: number;
  readonly gradientNorm: number;
  readonly learningRate: number;
  /** Updates left out because a gradient was not finite. */
  readonly skippedUpdates: number;
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

/** What an iteration has measured before it validates. */
export interface Learned {
  readonly iteration: number;
  readonly rollouts: Rollouts;
  readonly rollout: RolloutMetrics;
  readonly update: UpdateReport;
  readonly kl: number;
  readonly learningRate: number;
  readonly trainMs: number;
  readonly explainedVariance: number | null;
  readonly klCoefficient: number;
  readonly echoTrap: boolean;
}

/** Metrics of an iteration that has learned and is not validated. */
export function learnedMetrics(learned: Learned): Metrics & { readonly diagnostics: Diagnostics } {
  const { iteration, rollouts, rollout, update, kl, learningRate, trainMs } = learned;
  const { clippedAbove, clippedBelow, dualClipped, epochs, partNorms, critic } = update;
  return {
    iteration,
    validationSuccess: null,
    ...rollout,
    kl,
    clipFraction: update.clipFraction,
    policyLoss: update.loss,
    gradientNorm: update.gradientNorm,
    skippedUpdates: update.skipped,
    learningRate,
    trainedTokens: update.trainedTokens,
    sampleTokensPerSecond: (1000 * rollout.sampledTokens) / rollouts.policyMs,
    trainTokensPerSecond: (1000 * update.trainedTokens) / trainMs,
    sampleMs: rollouts.policyMs,
    environmentMs: rollouts.environmentMs,
    trainMs,
    evaluateMs: 0,
    diagnostics: {
      ...{ clippedAbove, clippedBelow, dualClipped, shift: update.approxKl, epochs, partNorms, critic },
      learnedFrom: rollouts.kept.length / rollouts.trajectories.length,
      explainedVariance: learned.explainedVariance,
      klCoefficient: learned.klCoefficient,
      information: null,
      echoTrap: learned.echoTrap,
    },
  };
}
