/** A metrics row with neutral values, for tests that care about one or two of them. */
import type { Metrics } from '../../src/rl/report';

export function metricsRow(iteration: number, values: Partial<Metrics> = {}): Metrics {
  return {
    iteration,
    validationSuccess: null,
    success: 0,
    rewardMean: 0,
    rewardStd: 0,
    zeroSignalGroups: 0,
    entropy: 1,
    kl: 0,
    clipFraction: 0,
    policyLoss: 0,
    gradientNorm: 1,
    learningRate: 1e-3,
    turns: 1,
    toolCallSuccess: null,
    responseLength: 1,
    truncated: 0,
    killed: { fuel: 0, depth: 0, memory: 0, stack: 0, trap: 0 },
    environmentFailures: 0,
    skippedUpdates: 0,
    rewardTerms: {},
    sampledTokens: 0,
    trainedTokens: 0,
    sampleTokensPerSecond: 0,
    trainTokensPerSecond: 0,
    sampleMs: 0,
    environmentMs: 0,
    trainMs: 0,
    evaluateMs: 0,
    ...values,
  };
}
