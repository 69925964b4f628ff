/** Health of an iteration. A number that cannot be computed is null. Healthy ranges are the page's. */
import type { ModelPart } from '../../model/gradient-norms';
import type { CollapseMetrics } from './collapse';

export interface Diagnostics {
  /** Share of trained tokens whose ratio was clipped with a positive advantage, and with a negative one. */
  readonly clippedAbove: number | null;
  readonly clippedBelow: number | null;
  readonly dualClipped: number | null;
  /** k1 estimate of KL(policy that sampled ‖ policy as it was updated), nats a token. */
  readonly shift: number | null;
  /** Epochs done; fewer than the config's if KL exceeded `klStop`. */
  readonly epochs: number;
  /** Gradient norm of each part of the model before clipping, of the last policy update. */
  readonly partNorms: Readonly<Partial<Record<ModelPart, number>>> | null;
  /** Null without a critic. */
  readonly critic: Readonly<Record<'loss' | 'clipFraction' | 'gradientNorm', number | null>> | null;
  readonly explainedVariance: number | null;
  /** Share of rollouts that passed the filter. */
  readonly learnedFrom: number;
  /** Weight of KL in this iteration. */
  readonly klCoefficient: number;
  /** Template collapse, measured where an iteration validates. */
  readonly information: CollapseMetrics | null;
  readonly echoTrap: boolean;
}
