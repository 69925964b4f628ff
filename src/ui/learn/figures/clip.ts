/** Tokens for the figure of the clip. Pure. */
import type { LossToken } from '../../../rl/algorithms/policy-term';

/** Of the x axis. */
export const ratios: readonly number[] = Array.from({ length: 80 }, (_, i) => (i + 1) / 40);

/** How likely the token was when it was sampled; the loss depends on the ratio alone. */
const sampled = 0.25;

export const tokenOf = (ratio: number, advantage: number): LossToken => ({
  logProb: Math.log(sampled * ratio),
  oldLogProb: Math.log(sampled),
  advantage,
});
