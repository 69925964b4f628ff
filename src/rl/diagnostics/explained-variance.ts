/**
 * How much of the returns a critic foresaw: 1 − var(return − value) / var(return). 1 is all of it, 0 no more than their
 * mean, below 0 worse than their mean. Healthy: rising towards 1. Not here: training the critic.
 */
import { moments } from '../episodes/whiten';

/** Null where the returns do not differ, since then there is nothing to explain. */
export function explainedVariance(values: readonly number[], returns: readonly number[]): number | null {
  const { variance } = moments(returns);
  return variance === 0 ? null : 1 - moments(returns.map((target, i) => target - values[i])).variance / variance;
}
