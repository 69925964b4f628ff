/**
 * What one iteration reports. A metric that cannot be computed is null, never NaN: of the update where the policy
 * learned from no token. Healthy ranges are the page's.
 */
import type { CollapseMetrics } from './diagnostics/collapse';
import type { UpdateReport } from './learner/update';
import type { Rollouts } from './rollouts/collect';
import type { RolloutMetrics } from './rollouts/metrics';

type LearnedMetrics = Readonly<ReturnType<typeof learnedMetrics>>;

/** Logs and recordings of earlier versions have no diagnostics. */
export type Metrics = Omit<LearnedMetrics, 'diagnostics'> &
  Partial<Pick<LearnedMetrics, 'diagnostics'>> & {
    /** `validationSuccess` by tag of the tasks; absent where it was not measured or tasks have no tags. */
    readonly validationByTag?: Readonly<Record<string, number>>;
  };

/** What an iteration has measured before it validates. */
interface Learned {
  readonly iteration: number;
  readonly rollouts: Rollouts;
  readonly rollout: RolloutMetrics;
  readonly update: UpdateReport;
  readonly kl: number | null;
  readonly learningRate: number;
  readonly trainMs: number;
  readonly explainedVariance: number | null;
  readonly klCoefficient: number;
  readonly echoTrap: boolean;
}

/** Null where the policy learned from no token. */
const ofUpdate = <T>({ sites }: UpdateReport, value: T): T | null => (sites > 0 ? value : null);

/** Metrics of an iteration that has learned and is not validated. */
export function learnedMetrics(learned: Learned) {
  const { iteration, rollouts, rollout, update, kl, learningRate, trainMs } = learned;
  return {
    iteration,
    /** Greedy success on the validation set, 0 … 1; null in iterations that did not validate. */
    validationSuccess: null as number | null,
    ...rollout,
    /**
     * k3 estimate of KL(policy ‖ reference), nats a token; null where the iteration neither validates nor trains on KL,
     * and in earlier versions an estimate from a quarter of the rollouts.
     */
    kl,
    clipFraction: ofUpdate(update, update.clipFraction),
    policyLoss: ofUpdate(update, update.loss),
    gradientNorm: ofUpdate(update, update.gradientNorm),
    /** Updates left out because a gradient was not finite. */
    skippedUpdates: update.skipped,
    learningRate,
    trainedTokens: update.trainedTokens,
    sampleTokensPerSecond: (1000 * rollout.sampledTokens) / rollouts.policyMs,
    trainTokensPerSecond: (1000 * update.trainedTokens) / trainMs,
    sampleMs: rollouts.policyMs,
    environmentMs: rollouts.environmentMs,
    trainMs,
    evaluateMs: 0,
    diagnostics: diagnosticsOf(learned),
  };
}

function diagnosticsOf({ rollouts, update, explainedVariance, klCoefficient, echoTrap }: Learned) {
  return {
    /** Share of trained tokens whose ratio was clipped with a positive advantage, and with a negative one. */
    clippedAbove: ofUpdate(update, update.clippedAbove),
    clippedBelow: ofUpdate(update, update.clippedBelow),
    dualClipped: ofUpdate(update, update.dualClipped),
    /** k1 estimate of KL(policy that sampled ‖ policy as it was updated), nats a token. */
    shift: ofUpdate(update, update.approxKl),
    /** Gradient norm of each part of the model before clipping, of the last policy update. */
    partNorms: ofUpdate(update, update.partNorms),
    /** Epochs done; fewer than the config's if KL exceeded `klStop`. */
    epochs: update.epochs,
    /** Null without a critic. */
    critic:
      update.critic &&
      (update.trainedTokens > 0 ? update.critic : { loss: null, clipFraction: null, gradientNorm: null }),
    /** Share of rollouts that passed the filter. */
    learnedFrom: rollouts.kept.length / rollouts.trajectories.length,
    explainedVariance,
    /** Weight of KL in this iteration. */
    klCoefficient,
    /** Template collapse, measured where an iteration validates. */
    information: null as CollapseMetrics | null,
    echoTrap,
  };
}
