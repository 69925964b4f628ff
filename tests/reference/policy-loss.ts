/**
 * Float64 references of the policy losses, one row (a sequence) at a time: PPO's clip with dual clip, CISPO, SAPO,
 * REINFORCE, GSPO, GMPO.
 */

export interface LossConstants {
  readonly clipLow: number;
  readonly clipHigh: number;
  /** Bound on the clipped loss of a negative advantage, in units of |A|. */
  readonly dualClip: number;
  /** SAPO: sharpness of the gate for positive advantages and for others. */
  readonly tauPositive: number;
  readonly tauNegative: number;
}

/** One row; entries where the mask is 0 are never read. */
export interface LossRow {
  readonly logProb: readonly number[];
  readonly oldLogProb: readonly number[];
  readonly advantage: readonly number[];
  readonly mask: readonly number[];
}

export interface TokenLoss {
  readonly loss: number;
  /** d loss / d logProb; of GSPO and GMPO the row's, by which the row's weights, all equal, must be multiplied. */
  readonly gradient: number;
  /** 1 where the bound of the ratio holds; of GMPO where A > 0 only. */
  readonly clipped: number;
  /** 1 where the dual clip bounds the loss; of GMPO where the bound of the ratio holds and A < 0. */
  readonly dualClipped: number;
  /** old − new log-probability; clamped to ±20 where the loss clamps it. */
  readonly kl: number;
}

type RowLoss = (row: LossRow, constants: LossConstants) => TokenLoss[];

export const clamp = (x: number, low: number, high: number): number => Math.min(high, Math.max(low, x));

/** Guards divisions by a count as published implementations do: it shows in the ninth digit. */
const tiny = 1e-8;
const masked: TokenLoss = { loss: 0, gradient: 0, clipped: 0, dualClipped: 0, kl: 0 };

/** Losses that look at one token. */
function eachToken(
  loss: (logProb: number, logRatio: number, a: number, constants: LossConstants) => TokenLoss,
): RowLoss {
  return ({ logProb, oldLogProb, advantage, mask }, constants) =>
    mask.map((m, t) => (m === 1 ? loss(logProb[t], logProb[t] - oldLogProb[t], advantage[t], constants) : masked));
}

/** l = max(−A ρ, −A clamp(ρ, 1−low, 1+high)), and for A < 0 at most −A c, with ρ = exp(clamp(logProb − old, ±20)). */
const clip = eachToken((_, difference, a, { clipLow, clipHigh, dualClip }) => {
  const logRatio = clamp(difference, -20, 20);
  const ratio = Math.exp(logRatio);
  const plain = -a * ratio;
  const bounded = -a * clamp(ratio, 1 - clipLow, 1 + clipHigh);
  const beforeDual = Math.max(plain, bounded);
  const limit = -a * dualClip;
  const dualClipped = a < 0 && beforeDual > limit;
  const flows = !dualClipped && plain >= bounded && logRatio === difference;
  return {
    loss: dualClipped ? limit : beforeDual,
    gradient: flows ? plain : 0,
    clipped: bounded > plain ? 1 : 0,
    dualClipped: dualClipped ? 1 : 0,
    kl: -logRatio,
  };
});

/** l = −const(clamp(ρ, 1−low, 1+high)) A logProb. */
const cispo = eachToken((logProb, difference, a, { clipLow, clipHigh }) => {
  const logRatio = clamp(difference, -20, 20);
  const ratio = Math.exp(logRatio);
  const weight = clamp(ratio, 1 - clipLow, 1 + clipHigh);
  return {
    loss: -weight * a * logProb,
    gradient: -weight * a,
    clipped: weight === ratio ? 0 : 1,
    dualClipped: 0,
    kl: -logRatio,
  };
});

/** l = −4/τ · sigmoid(τ (ρ − 1)) · A. */
const sapo = eachToken((_, difference, a, { tauPositive, tauNegative }) => {
  const logRatio = clamp(difference, -20, 20);
  const ratio = Math.exp(logRatio);
  const tau = a > 0 ? tauPositive : tauNegative;
  const gate = 1 / (1 + Math.exp(-tau * (ratio - 1)));
  const slope = logRatio === difference ? -4 * gate * (1 - gate) * ratio * a : 0;
  return { loss: (-4 / tau) * gate * a, gradient: slope, clipped: 0, dualClipped: 0, kl: -logRatio };
});

/** l = −A logProb. */
const reinforce = eachToken((logProb, difference, a) => ({
  ...masked,
  loss: -a * logProb,
  gradient: -a,
  kl: -difference,
}));

/**
 * l = max(−A s, −A clamp(s, 1−low, 1+high)) with s = exp(mean over masked-in tokens of (logProb − old)), exponent at
 * most 10. Gradients are as if each token carried the ratio by itself: −A s, and 0 where clipped.
 */
const gspo: RowLoss = ({ logProb, oldLogProb, advantage, mask }, { clipLow, clipHigh }) => {
  const count = mask.reduce((sum, m) => sum + m, 0);
  const mean =
    logProb.reduce((sum, value, t) => (mask[t] === 1 ? sum + value - oldLogProb[t] : sum), 0) / Math.max(1, count);
  const ratio = Math.exp(Math.min(10, mean));
  return mask.map((m, t) => {
    if (m !== 1) return masked;
    const plain = -advantage[t] * ratio;
    const bounded = -advantage[t] * clamp(ratio, 1 - clipLow, 1 + clipHigh);
    return {
      loss: Math.max(plain, bounded),
      gradient: plain >= bounded && mean <= 10 ? plain : 0,
      clipped: bounded > plain ? 1 : 0,
      dualClipped: 0,
      kl: oldLogProb[t] - logProb[t],
    };
  });
};

/**
 * Every token's loss is the row's: −mean(A) exp(mean(y)), y = sign(A) min(sign(A) x, sign(A) clamp(x, −low, high)), x =
 * logProb − old.
 */
const gmpo: RowLoss = ({ logProb, oldLogProb, advantage, mask }, { clipLow, clipHigh }) => {
  const tokens = mask.flatMap((m, t) => (m === 1 ? [t] : []));
  const count = tokens.length + tiny;
  const x = logProb.map((value, t) => value - oldLogProb[t]);
  const y = (t: number): number => {
    const sign = Math.sign(advantage[t]);
    return sign * Math.min(sign * x[t], sign * clamp(x[t], -clipLow, clipHigh));
  };
  const meanAdvantage = tokens.reduce((sum, t) => sum + advantage[t], 0) / count;
  const loss = -meanAdvantage * Math.exp(tokens.reduce((sum, t) => sum + y(t), 0) / count);
  return mask.map((m, t) => {
    if (m !== 1) return masked;
    const isOutside = clamp(x[t], -clipLow, clipHigh) !== x[t];
    return {
      loss,
      gradient: advantage[t] !== 0 && y(t) === x[t] ? (loss * tokens.length) / count : 0,
      clipped: isOutside && advantage[t] > 0 ? 1 : 0,
      dualClipped: isOutside && advantage[t] < 0 ? 1 : 0,
      kl: -x[t],
    };
  });
};

export const rowLosses = { clip, cispo, sapo, reinforce, gspo, gmpo } as const;
