/**
 * What one iteration reports. A metric that cannot be computed is null, never NaN: of the update where the policy
 * learned from no token.
 */
import type { Diagnostics } from './diagnostics/diagnostics';
import type { UpdateReport } from './learner/update';
import type { Rollouts } from './rollouts/collect';
import type { RolloutMetrics } from './rollouts/metrics';

export interface Metrics extends RolloutMetrics {
  readonly iteration: number;
  /** Greedy success on the validation set, 0 … 1; null in iterations that did not validate. */
  readonly validationSuccess: number | null;
  /**
   * k3 estimate of KL(policy ‖ reference), nats a token; null where the iteration neither validates nor trains on KL,
   * and in earlier versions an estimate from a quarter of the rollouts.
   */
  readonly kl: number | null;
  readonly clipFraction: number | null;
  readonly policyLoss: number | null;
  readonly gradientNorm: number | null;
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
interface Learned
  extends
    Pick<Metrics, 'iteration' | 'kl' | 'learningRate' | 'trainMs'>,
    Pick<Diagnostics, 'explainedVariance' | 'klCoefficient' | 'echoTrap'> {
  readonly rollouts: Rollouts;
  readonly rollout: RolloutMetrics;
  readonly update: UpdateReport;
}

/** Metrics of an iteration that has learned and is not validated. */
export function learnedMetrics(learned: Learned): Metrics & { readonly diagnostics: Diagnostics } {
  const { iteration, rollouts, rollout, update, kl, learningRate, trainMs } = learned;
  const { explainedVariance, klCoefficient, echoTrap } = learned;
  const { epochs, critic } = update;
  const ofUpdate = <T>(value: T): T | null => (update.sites > 0 ? value : null);
  return {
    iteration,
    validationSuccess: null,
    ...rollout,
    kl,
    clipFraction: ofUpdate(update.clipFraction),
    policyLoss: ofUpdate(update.loss),
    gradientNorm: ofUpdate(update.gradientNorm),
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
      clippedAbove: ofUpdate(update.clippedAbove),
      clippedBelow: ofUpdate(update.clippedBelow),
      dualClipped: ofUpdate(update.dualClipped),
      shift: ofUpdate(update.approxKl),
      partNorms: ofUpdate(update.partNorms),
      epochs,
      critic: critic && (update.trainedTokens > 0 ? critic : { loss: null, clipFraction: null, gradientNorm: null }),
      learnedFrom: rollouts.kept.length / rollouts.trajectories.length,
      explainedVariance,
      klCoefficient,
      information: null,
      echoTrap,
    },
  };
}
