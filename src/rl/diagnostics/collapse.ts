/**
 * Template collapse: texts stay varied but no longer depend on the task, which entropy cannot show. Measured as the
 * mutual information of tasks and texts, from L_ij = log p(text i | task j):
 *
 *   matched_i = L_i,own(i)        marginal_i = logsumexp_j L_ij − log N
 *   MI = mean(matched) − mean(marginal) ≤ log N
 *   H(text | task) = −mean(matched)        H(text) = −mean(marginal)
 *   retrieval = share of texts whose own task is the likeliest
 *
 * RAGEN-2. Healthy: near log N and steady. Collapsed: MI → 0 and retrieval → 1/N while H(text | task) stays.
 */
import { mean, sum } from '../../lib/mean';
import { exp, log } from '../../lib/portable-math';

export type CollapseMetrics = Readonly<ReturnType<typeof collapseMetrics>>;

/**
 * @param logProbs L, at least one row [texts][tasks]
 * @param own the task that each text was written for [texts]
 * @returns nats, but for the retrieval's 0 … 1
 */
export function collapseMetrics(logProbs: readonly (readonly number[])[], own: readonly number[]) {
  const upperBound = log(logProbs[0].length);
  const matched = mean(logProbs.map((row, i) => row[own[i]]));
  const marginal = mean(logProbs.map((row) => logSumExp(row) - upperBound));
  return {
    /** Below 0 by sampling noise alone. */
    mutualInformation: matched - marginal,
    /** log N. */
    upperBound,
    /** H(text | task). */
    conditionalEntropy: -matched,
    /** H(text). */
    entropy: -marginal,
    retrievalAccuracy: mean(logProbs.map((row, i) => (row.indexOf(Math.max(...row)) === own[i] ? 1 : 0))),
  };
}

function logSumExp(values: readonly number[]): number {
  const largest = Math.max(...values);
  return largest + log(sum(values.map((value) => exp(value - largest))));
}
