/**
 * Float64 references of the clipped policy loss with dual clip (PPO, Schulman et al. 2017; dual clip, Ye et al. 2020) and of the same with
 * one ratio a sequence (GSPO, Zheng et al. 2025).
 */

export interface ClipConstants {
  readonly clipLow: number;
  readonly clipHigh: number;
  /** Bound on the loss of a negative advantage, in units of |A|. */
  readonly dualClip: number;
}

export interface TokenLoss {
  readonly loss: number;
  /** d loss / d logProb. */
  readonly gradient: number;
  /** 1 where the clipped term is the larger. */
  readonly clipped: number;
  /** 1 where the dual clip bounds the loss. */
  readonly dualClipped: number;
  /** old − new log-probability, clamped to ±20. */
  readonly kl: number;
}

export const clamp = (x: number, low: number, high: number): number => Math.min(high, Math.max(low, x));

/** l = max(−A ρ, −A clamp(ρ, 1−low, 1+high)), and for A < 0 at most −A c, with ρ = exp(clamp(logProb − old, ±20)). */
export function clipLoss(
  logProb: number,
  oldLogProb: number,
  advantage: number,
  { clipLow, clipHigh, dualClip }: ClipConstants,
): TokenLoss {
  const logRatio = clamp(logProb - oldLogProb, -20, 20);
  const ratio = Math.exp(logRatio);
  const plain = -advantage * ratio;
  const bounded = -advantage * clamp(ratio, 1 - clipLow, 1 + clipHigh);
  const beforeDual = Math.max(plain, bounded);
  const limit = -advantage * dualClip;
  const dualClipped = advantage < 0 && beforeDual > limit;
  const flows = !dualClipped && plain >= bounded && Math.abs(logProb - oldLogProb) <= 20;
  return {
    loss: dualClipped ? limit : beforeDual,
    gradient: flows ? plain : 0,
    clipped: bounded > plain ? 1 : 0,
    dualClipped: dualClipped ? 1 : 0,
    kl: -logRatio,
  };
}

/**
 * One row of l = max(−A s, −A clamp(s, 1−low, 1+high)) with s = exp(mean over masked-in tokens of (logProb − old)), exponent at most 10.
 * Gradients are as if each token carried the ratio by itself: −A s, and 0 where clipped.
 */
export function sequenceLoss(
  logProb: readonly number[],
  oldLogProb: readonly number[],
  advantage: readonly number[],
  mask: readonly number[],
  { clipLow, clipHigh }: Pick<ClipConstants, 'clipLow' | 'clipHigh'>,
): Pick<TokenLoss, 'loss' | 'gradient'>[] {
  const count = mask.reduce((sum, m) => sum + m, 0);
  const total = logProb.reduce((sum, value, t) => (mask[t] === 1 ? sum + value - oldLogProb[t] : sum), 0);
  const ratio = Math.exp(Math.min(10, total / Math.max(1, count)));
  return advantage.map((a) => {
    const plain = -a * ratio;
    const bounded = -a * clamp(ratio, 1 - clipLow, 1 + clipHigh);
    return { loss: Math.max(plain, bounded), gradient: plain >= bounded ? plain : 0 };
  });
}
