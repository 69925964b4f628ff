/**
 * What an RL algorithm is here: rewards of trajectories to advantages of tokens, and the constants of the loss that uses
 * them. Advantages are a few thousand numbers, so they are computed on the CPU in float64.
 * Deliberately knows nothing of packing, kernels, optimizers or how trajectories were sampled.
 */
import type { Trajectory } from '../../agent/types';
import type { RunConfig } from '../config';

/** Advantages of one trajectory. */
export interface Credit {
  /** One number for lists and charts: the trajectory's advantage. */
  readonly advantage: number;
  /** Advantage of each token the agent wrote. [steps][action tokens] */
  readonly actions: readonly Float64Array[];
  /** Advantage of every environment token that follows an action; used only where the loss mask is off. */
  readonly environment: number;
}

/** Constants of the clipped policy-gradient loss: Σ weight · (policy + klCoefficient · k3 − entropyCoefficient · entropy). */
export type LossConstants = Pick<
  RunConfig['algorithm'],
  'clipLow' | 'clipHigh' | 'dualClip' | 'klCoefficient' | 'entropyCoefficient' | 'aggregation'
>;

export interface Algorithm {
  readonly name: RunConfig['algorithm']['name'];
  /** Whether a value head must be trained. */
  readonly needsCritic: boolean;
  /** Whether the loss compares with a frozen reference policy. */
  readonly needsReference: boolean;
  readonly loss: LossConstants;
  /** One credit per trajectory, in their order. */
  advantages(trajectories: readonly Trajectory[]): Credit[];
}
