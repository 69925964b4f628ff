/**
 * Judges a run by its diagnostics: each check reads one number of an iteration and compares it with its healthy range.
 * The reader judges, not the trainer: a recording is read where no trainer answers.
 */
import { explainingPatience, leastExplained, solvedSuccess } from './critic-health';

/** Inclusive; Infinity where open. */
export type HealthyRange = readonly [number, number];

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
  explainedVariance: [leastExplained, 1],
  gradientNorm: [0, 10],
  /** Mutual information, as a share of the most there could be. */
  information: [0.3, Infinity],
  truncated: [0, 0.1],
  echoTrap: [0, 0],
} as const satisfies Readonly<Record<string, HealthyRange>>;

export type Diagnostic = keyof typeof healthyRanges;

/** What the checks read of an iteration's metrics. Recordings of earlier versions have no diagnostics. */
export interface Judged {
  readonly success: number;
  readonly rewardStd: number;
  readonly zeroSignalGroups: number;
  readonly entropy: number;
  readonly kl: number | null;
  readonly gradientNorm: number | null;
  readonly truncated: number;
  readonly diagnostics?: {
    readonly clippedAbove: number | null;
    readonly clippedBelow: number | null;
    readonly dualClipped: number | null;
    readonly shift: number | null;
    readonly explainedVariance: number | null;
    readonly information: { readonly mutualInformation: number; readonly upperBound: number } | null;
    readonly echoTrap: boolean;
  };
}

export interface HealthCheck {
  readonly key: Diagnostic;
  readonly unit: 'number' | 'share' | 'nats' | 'alarm';
  readonly healthy: HealthyRange;
  /** Null where the iteration has no such number. */
  readonly read: (metrics: Judged) => number | null;
  /** Consecutive measurements out of range that make an alarm. */
  readonly patience: number;
  /** Solved tasks move it out of its range, which is no problem. */
  readonly fallsWhenSolved: boolean;
  /** Checked only once it was in range: tasks with uninformative prompts never reach it. */
  readonly onlyOnceReached: boolean;
}

/** `watch` has left its range; `alarm` stayed out of it; `unreached` never was in it, and need not be. */
export type HealthState = 'ok' | 'solved' | 'unreached' | 'watch' | 'alarm';

export interface HealthStatus {
  readonly check: HealthCheck;
  /** As last measured. */
  readonly value: number;
  readonly state: HealthState;
}

const usualPatience = 3;

type Rest = Partial<Pick<HealthCheck, 'patience' | 'fallsWhenSolved' | 'onlyOnceReached'>>;

const check = (
  key: Diagnostic,
  unit: HealthCheck['unit'],
  read: HealthCheck['read'],
  rest: Rest = {},
): HealthCheck => ({
  key,
  unit,
  read,
  healthy: healthyRanges[key],
  patience: usualPatience,
  fallsWhenSolved: false,
  onlyOnceReached: false,
  ...rest,
});

export const healthChecks: readonly HealthCheck[] = [
  check('rewardStd', 'number', ({ rewardStd }) => rewardStd, { fallsWhenSolved: true }),
  check('zeroSignalGroups', 'share', ({ zeroSignalGroups }) => zeroSignalGroups, { fallsWhenSolved: true }),
  check('entropy', 'nats', ({ entropy }) => entropy, { fallsWhenSolved: true }),
  check(
    'kl',
    'nats',
    ({ kl }) => kl,
    // Measured at validations only, unless KL is trained on. An agent that is sure of its answers is far from a
    // reference that was not.
    { patience: 2, fallsWhenSolved: true },
  ),
  check('approxKl', 'nats', ({ diagnostics }) => diagnostics?.shift ?? null),
  check('clippedAbove', 'share', ({ diagnostics }) => diagnostics?.clippedAbove ?? null),
  check('clippedBelow', 'share', ({ diagnostics }) => diagnostics?.clippedBelow ?? null),
  check('dualClipped', 'share', ({ diagnostics }) => diagnostics?.dualClipped ?? null),
  check(
    'explainedVariance',
    'number',
    ({ diagnostics }) => diagnostics?.explainedVariance ?? null,
    // A critic starts untrained, and the few failures of a solved task are chance.
    { patience: explainingPatience, fallsWhenSolved: true },
  ),
  check('gradientNorm', 'number', ({ gradientNorm }) => gradientNorm),
  check(
    'information',
    'share',
    ({ diagnostics }) =>
      diagnostics?.information ? diagnostics.information.mutualInformation / diagnostics.information.upperBound : null,
    // Measured at validations only. One answer to all tasks is fine where it solves them.
    { patience: 2, fallsWhenSolved: true, onlyOnceReached: true },
  ),
  check('truncated', 'share', ({ truncated }) => truncated),
  check(
    'echoTrap',
    'alarm',
    ({ diagnostics }) => (diagnostics ? Number(diagnostics.echoTrap) : null),
    // The trap has a patience of its own.
    { patience: 1 },
  ),
];

/** Whether a number is in its healthy range; null is. */
export function isHealthy({ healthy: [low, high] }: HealthCheck, value: number | null): boolean {
  return value === null || (value >= low && value <= high);
}

/** Status of one check; null if it was never measured. @param rows ascending by iteration */
export function statusOf(check: HealthCheck, rows: readonly Judged[]): HealthStatus | null {
  let value: number | null = null;
  let outside = 0;
  for (let i = rows.length - 1; i >= 0 && outside < check.patience; i--) {
    const measured = check.read(rows[i]);
    if (measured === null) continue;
    value ??= measured;
    const left = !isHealthy(check, measured);
    if (left && check.fallsWhenSolved && rows[i].success >= solvedSuccess)
      return { check, value, state: outside > 0 ? 'watch' : 'solved' };
    if (!left) break;
    outside++;
  }
  if (value === null) return null;
  const reached =
    !check.onlyOnceReached || rows.some((row) => check.read(row) !== null && isHealthy(check, check.read(row)));
  if (outside > 0 && !reached) return { check, value, state: 'unreached' };
  return { check, value, state: outside === 0 ? 'ok' : outside < check.patience ? 'watch' : 'alarm' };
}

/** Statuses of all checks that were measured. @param rows ascending by iteration */
export function statuses(rows: readonly Judged[]): readonly HealthStatus[] {
  return healthChecks.flatMap((each) => statusOf(each, rows) ?? []);
}
