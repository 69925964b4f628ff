/** What is healthy: each diagnostic's range and a sentence that tells a person what it means to leave it. Reads metrics; computes nothing new. */
import type { Metrics } from '../metrics';

export interface HealthCheck {
  readonly key: string;
  readonly title: string;
  /** Inclusive; Infinity where open. */
  readonly healthy: readonly [number, number];
  readonly sentence: string;
  /** Null where the iteration has no such number. */
  readonly read: (metrics: Metrics) => number | null;
}

const check = (
  key: string,
  title: string,
  healthy: readonly [number, number],
  sentence: string,
  read: HealthCheck['read'],
): HealthCheck => ({ key, title, healthy, sentence, read });

export const healthChecks: readonly HealthCheck[] = [
  check(
    'rewardStd',
    'In-group deviation of rewards',
    [0.05, Infinity],
    'Rollouts of one task must differ, or there is nothing to compare; it falls as tasks are solved, and too early in an echo trap.',
    ({ rewardStd }) => rewardStd,
  ),
  check(
    'zeroSignalGroups',
    'Groups without signal',
    [0, 0.8],
    'Groups whose rewards are all equal teach nothing: tasks are too easy, too hard, or the group is too small.',
    ({ zeroSignalGroups }) => zeroSignalGroups,
  ),
  check(
    'entropy',
    'Entropy',
    [0.02, Infinity],
    'Near 0 the policy tries nothing new; a higher upper clip, an entropy bonus or a lower rate keeps it exploring.',
    ({ entropy }) => entropy,
  ),
  check(
    'kl',
    'KL to the start',
    [0, 1],
    'How far the policy has left its starting weights; a sudden rise means a rate too high, and below 0 it would be a wrong mask.',
    ({ kl }) => kl,
  ),
  check(
    'shift',
    'KL of one update',
    [-0.05, 0.1],
    'How far one iteration moves the policy; beyond 0.1 nats the rollouts are not its own any more: fewer updates or a lower rate.',
    ({ diagnostics }) => diagnostics?.shift ?? null,
  ),
  check(
    'clippedAbove',
    'Clipped above',
    [0, 0.3],
    'Good tokens that would have grown further; much of it says that updates are too large for their clip.',
    ({ diagnostics }) => diagnostics?.clippedAbove ?? null,
  ),
  check(
    'clippedBelow',
    'Clipped below',
    [0, 0.3],
    'Bad tokens that would have shrunk further; much of it says that updates are too large for their clip.',
    ({ diagnostics }) => diagnostics?.clippedBelow ?? null,
  ),
  check(
    'dualClipped',
    'Dual-clipped',
    [0, 0.05],
    'Bad tokens that became several times likelier meanwhile and were held; more than a few mean that the policy runs away.',
    ({ diagnostics }) => diagnostics?.dualClipped ?? null,
  ),
  check(
    'explainedVariance',
    'Explained variance',
    [0, 1],
    'How much of the returns the critic foresaw; below 0 it misleads, and a longer critic warm-up or another critic rate helps.',
    ({ diagnostics }) => diagnostics?.explainedVariance ?? null,
  ),
  check(
    'gradientNorm',
    'Gradient norm',
    [0, 10],
    'A spike before clipping often comes before a collapse; the norms of the parts say where it is.',
    ({ gradientNorm }) => gradientNorm,
  ),
  check(
    'information',
    'Information about the task',
    [0.3, Infinity],
    'Share of log N that what is written tells of its task; towards 0 the words are a template, however varied, which entropy cannot see.',
    ({ diagnostics }) => (diagnostics?.information ? diagnostics.information.mutualInformation / diagnostics.information.upperBound : null),
  ),
  check(
    'truncated',
    'Cut actions',
    [0, 0.1],
    'Actions cut by the token budget cannot be what the agent meant; raise the budget or make length cost something.',
    ({ truncated }) => truncated,
  ),
  check(
    'echoTrap',
    'Echo trap',
    [0, 0],
    'Rollouts became alike and sure of themselves without solving the task: go back, and lower the rate or filter rollouts by their spread.',
    ({ diagnostics }) => (diagnostics ? Number(diagnostics.echoTrap) : null),
  ),
];

/** Whether a number is in its healthy range; null is. */
export function isHealthy({ healthy: [low, high] }: HealthCheck, value: number | null): boolean {
  return value === null || (value >= low && value <= high);
}
