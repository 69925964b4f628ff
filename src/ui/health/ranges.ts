/** Where each diagnostic is healthy: lowest and highest value, inclusive; Infinity where open. Charts quote it too. */
import { format, type Unit } from '../charts/units';

export type Range = readonly [number, number];

export const healthyRanges = {
  rewardStd: [0.05, Infinity],
  zeroSignalGroups: [0, 0.8],
  /** Nats per token, as are the two KLs. */
  entropy: [0.02, Infinity],
  kl: [0, 1],
  approxKl: [-0.05, 0.1],
  clippedAbove: [0, 0.3],
  clippedBelow: [0, 0.3],
  dualClipped: [0, 0.05],
  explainedVariance: [0, 1],
  gradientNorm: [0, 10],
  /** Mutual information, as a share of the most there could be. */
  information: [0.3, Infinity],
  truncated: [0, 0.1],
  echoTrap: [0, 0],
} as const satisfies Readonly<Record<string, Range>>;

export type Diagnostic = keyof typeof healthyRanges;

/** The highest healthy value, in words. */
export const healthyMax = (of: Diagnostic, unit: Unit = 'share'): string => format(healthyRanges[of][1], unit);
