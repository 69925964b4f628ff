/**
 * What is healthy in a run: each diagnostic's range, a sentence on what it means to leave it and what to do then, and the verdict on a run so far.
 * Reads metrics and computes none. The page judges, not the trainer, because a recording is shown where no trainer answers.
 */
import type { Metrics } from '../../worker/protocol';

export interface HealthCheck {
  readonly key: string;
  readonly title: string;
  readonly unit: 'number' | 'share' | 'nats a token' | 'alarm';
  /** Inclusive; Infinity where open. */
  readonly healthy: readonly [number, number];
  readonly sentence: string;
  /** Null where the iteration has no such number. */
  readonly read: (metrics: Metrics) => number | null;
  /** Measurements on end out of range that make an alarm. */
  readonly patience: number;
  /** It leaves its range by itself as the tasks are solved, and then says nothing. */
  readonly fallsWhenSolved: boolean;
}

/** `watch` has left its range; `alarm` stayed out of it. */
export type HealthState = 'ok' | 'solved' | 'watch' | 'alarm';

export interface Verdict {
  readonly check: HealthCheck;
  /** As last measured. */
  readonly value: number;
  readonly state: HealthState;
}

/** Success of the sampled rollouts from which on tasks count as solved. */
const solvedSuccess = 0.8;
const usualPatience = 3;

type Rest = Partial<Pick<HealthCheck, 'patience' | 'fallsWhenSolved'>>;

const check = (
  key: string,
  title: string,
  [unit, ...healthy]: readonly [HealthCheck['unit'], number, number],
  sentence: string,
  read: HealthCheck['read'],
  rest: Rest = {},
): HealthCheck => ({ key, title, unit, healthy, sentence, read, patience: usualPatience, fallsWhenSolved: false, ...rest });

export const healthChecks: readonly HealthCheck[] = [
  check(
    'rewardStd',
    'In-group deviation of rewards',
    ['number', 0.05, Infinity],
    'Rollouts of one task must differ, or there is nothing to compare: sample hotter, enlarge the group or change the tasks. It falls by itself as tasks are solved.',
    ({ rewardStd }) => rewardStd,
    { fallsWhenSolved: true },
  ),
  check(
    'zeroSignalGroups',
    'Groups without signal',
    ['share', 0, 0.8],
    'Groups whose rewards are all equal teach nothing: make tasks easier or harder, enlarge the group, or let refills replace them.',
    ({ zeroSignalGroups }) => zeroSignalGroups,
    { fallsWhenSolved: true },
  ),
  check(
    'entropy',
    'Entropy',
    ['nats a token', 0.02, Infinity],
    'Near 0 the policy tries nothing new; a higher upper clip, an entropy bonus or a lower rate keeps it exploring.',
    ({ entropy }) => entropy,
    { fallsWhenSolved: true },
  ),
  check(
    'kl',
    'KL to the start',
    ['nats a token', 0, 1],
    'How far the policy has left its starting weights; a sudden rise means a rate too high: lower it, or give the KL a weight.',
    ({ kl }) => kl,
  ),
  check(
    'shift',
    'KL of one update',
    ['nats a token', -0.05, 0.1],
    'How far one iteration moves the policy; beyond 0.1 the rollouts are not its own any more: fewer updates or a lower rate.',
    ({ diagnostics }) => diagnostics?.shift ?? null,
  ),
  check(
    'clippedAbove',
    'Clipped above',
    ['share', 0, 0.3],
    'Good tokens that would have grown further; much of it says that updates are too large for their clip: lower the rate or do fewer.',
    ({ diagnostics }) => diagnostics?.clippedAbove ?? null,
  ),
  check(
    'clippedBelow',
    'Clipped below',
    ['share', 0, 0.3],
    'Bad tokens that would have shrunk further; much of it says that updates are too large for their clip: lower the rate or do fewer.',
    ({ diagnostics }) => diagnostics?.clippedBelow ?? null,
  ),
  check(
    'dualClipped',
    'Dual-clipped',
    ['share', 0, 0.05],
    'Bad tokens that became several times likelier meanwhile and were held; more than a few mean that the policy runs away: lower the rate.',
    ({ diagnostics }) => diagnostics?.dualClipped ?? null,
  ),
  check(
    'explainedVariance',
    'Explained variance',
    ['number', 0, 1],
    'How much of the returns the critic foresaw; below 0 it misleads, and a longer critic warm-up or another critic rate helps.',
    ({ diagnostics }) => diagnostics?.explainedVariance ?? null,
    // A critic begins by knowing nothing.
    { patience: 10 },
  ),
  check(
    'gradientNorm',
    'Gradient norm',
    ['number', 0, 10],
    'Before clipping; a spike often comes before a collapse: lower the rate or the gradient clip. The norms of the parts say where it is.',
    ({ gradientNorm }) => gradientNorm,
  ),
  check(
    'information',
    'Information about the task',
    ['share', 0.3, Infinity],
    'Of all that a first action could tell of its task; towards 0 the words are a template, however varied, which entropy cannot see: learn only from groups whose rewards differ.',
    ({ diagnostics }) => (diagnostics?.information ? diagnostics.information.mutualInformation / diagnostics.information.upperBound : null),
    // Measured at validations only.
    { patience: 2 },
  ),
  check(
    'truncated',
    'Cut actions',
    ['share', 0, 0.1],
    'Actions cut by the token budget cannot be what the agent meant; raise the budget or make length cost something.',
    ({ truncated }) => truncated,
  ),
  check(
    'echoTrap',
    'Echo trap',
    ['alarm', 0, 0],
    'Rollouts became alike and sure of themselves without solving the task: go back, and lower the rate or filter rollouts by their spread.',
    ({ diagnostics }) => (diagnostics ? Number(diagnostics.echoTrap) : null),
    // It is patient itself.
    { patience: 1 },
  ),
];

/** Whether a number is in its healthy range; null is. */
export function isHealthy({ healthy: [low, high] }: HealthCheck, value: number | null): boolean {
  return value === null || (value >= low && value <= high);
}

/** What a check says of a run; null if it was never measured. @param rows ascending by iteration */
export function verdictOf(check: HealthCheck, rows: readonly Metrics[]): Verdict | null {
  let value: number | null = null;
  let outside = 0;
  for (let i = rows.length - 1; i >= 0 && outside < check.patience; i--) {
    const measured = check.read(rows[i]);
    if (measured === null) continue;
    value ??= measured;
    const left = !isHealthy(check, measured);
    if (left && check.fallsWhenSolved && rows[i].success >= solvedSuccess) return { check, value, state: outside > 0 ? 'watch' : 'solved' };
    if (!left) break;
    outside++;
  }
  if (value === null) return null;
  return { check, value, state: outside === 0 ? 'ok' : outside < check.patience ? 'watch' : 'alarm' };
}

/** What every check that was measured says of a run. @param rows ascending by iteration */
export function verdicts(rows: readonly Metrics[]): readonly Verdict[] {
  return healthChecks.flatMap((each) => verdictOf(each, rows) ?? []);
}
