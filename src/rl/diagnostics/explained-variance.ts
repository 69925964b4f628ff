/**
 * Share of the returns' variance that a critic predicts: 1 − var(return − value) / var(return). 1 is all of it, 0 no
 * more than their mean, below 0 worse than their mean. Healthy: rising towards 1. The returns are those of GAE, as in
 * verl: for λ < 1 they contain the critic's own values, and the share is larger than of what was really earned.
 */
import { moments } from '../../algorithms/episodes/whiten';
import type { Credit } from '../../algorithms/credit';

/** Null where the returns do not differ: there is nothing to explain. */
export function explainedVariance(values: readonly number[], returns: readonly number[]): number | null {
  const { variance } = moments(returns);
  return variance === 0 ? null : 1 - moments(returns.map((target, i) => target - values[i])).variance / variance;
}

/** Over the tokens where the critic learns; null without a critic or without returns that differ. */
export function explainedVarianceOf(credits: readonly Credit[]): number | null {
  const values: number[] = [];
  const returns: number[] = [];
  for (const { critic } of credits) {
    critic?.trained.forEach((flags, k) =>
      flags.forEach((flag, t) => {
        if (flag === 0) return;
        values.push(critic.values[k][t]);
        returns.push(critic.returns[k][t]);
      }),
    );
  }
  return values.length === 0 ? null : explainedVariance(values, returns);
}
