import type { Metrics } from '../../src/rl/report';

/** Metrics without what is measured in time. */
export function timeless(metrics: Metrics) {
  const { sampleTokensPerSecond, trainTokensPerSecond, sampleMs, environmentMs, trainMs, evaluateMs, ...rest } =
    metrics;
  void [sampleTokensPerSecond, trainTokensPerSecond, sampleMs, environmentMs, trainMs, evaluateMs];
  return rest;
}
