/**
 * What is healthy in a run: each diagnostic's range, a sentence on what it means to leave it and what to do then, and
 * the verdict on a run so far. Reads metrics and computes none. The page judges, not the trainer, because a recording
 * is shown where no trainer answers.
 */
import type { Metrics } from '../../rl/report';

export interface HealthCheck {
  readonly key: string;
  readonly title: string;
  readonly unit: 'number' | 'share' | 'nats per token' | 'alarm';
  /** Inclusive; Infinity where open. */
  readonly healthy: readonly [number, number];
  readonly sentence: string;
  /** Null where the iteration has no such number. */
  readonly read: (metrics: Metrics) => number | null;
  /** Measurements on end out of range that make an alarm. */
  readonly patience: number;
  /** It leaves its range by itself as the tasks are solved, and then says nothing. */
  readonly fallsWhenSolved: boolean;
  /** It can be lost only where it was there: tasks whose prompts say nothing never bring it into its range. */
  readonly onlyOnceReached: boolean;
}

/** `watch` has left its range; `alarm` stayed out of it; `unreached` never was in it, and need not be. */
export type HealthState = 'ok' | 'solved' | 'unreached' | 'watch' | 'alarm';

export interface Verdict {
  readonly check: HealthCheck;
  /** As last measured. */
  readonly value: number;
  readonly state: HealthState;
}

/** Success of the sampled rollouts from which on tasks count as solved. */
const solvedSuccess = 0.8;
const usualPatience = 3;

type Rest = Partial<Pick<HealthCheck, 'patience' | 'fallsWhenSolved' | 'onlyOnceReached'>>;

const check = (
  key: string,
  title: string,
  [unit, ...healthy]: readonly [HealthCheck['unit'], number, number],
  sentence: string,
  read: HealthCheck['read'],
  rest: Rest = {},
): HealthCheck => ({
  ...{ key, title, unit, healthy, sentence, read },
  ...{ patience: usualPatience, fallsWhenSolved: false, onlyOnceReached: false, ...rest },
});

export const healthChecks: readonly HealthCheck[] = [
  check(
    'rewardStd',
    'In-group deviation of rewards',
    ['number', 0.05, Infinity],
    'Attempts at one task must score differently, or nothing is learned. Raise the temperature, enlarge the group or change the tasks.',
    ({ rewardStd }) => rewardStd,
    { fallsWhenSolved: true },
  ),
  check(
    'zeroSignalGroups',
    'Groups without signal',
    ['share', 0, 0.8],
    'Share of groups in which all attempts scored the same. Change the difficulty, enlarge the group or switch refills on.',
    ({ zeroSignalGroups }) => zeroSignalGroups,
    { fallsWhenSolved: true },
  ),
  check(
    'entropy',
    'Entropy',
    ['nats per token', 0.02, Infinity],
    'Near 0 the agent tries nothing new. Raise the upper clip, add an entropy bonus or lower the learning rate.',
    ({ entropy }) => entropy,
    { fallsWhenSolved: true },
  ),
  check(
    'kl',
    'KL to the start',
    ['nats per token', 0, 1],
    'Distance of the agent from its starting weights. If it rises suddenly, lower the learning rate or give the KL a weight.',
    ({ kl }) => kl,
    // Certainty about the answer is far from a start that was unsure of it.
    { fallsWhenSolved: true },
  ),
  check(
    'shift',
    'KL of one update',
    ['nats per token', -0.05, 0.1],
    'Distance that one iteration moves the agent. Above 0.1, do fewer updates or lower the learning rate.',
    ({ diagnostics }) => diagnostics?.shift ?? null,
  ),
  check(
    'clippedAbove',
    'Clipped above',
    ['share', 0, 0.3],
    'Share of good tokens whose update was cut off. If high, lower the learning rate or do fewer updates.',
    ({ diagnostics }) => diagnostics?.clippedAbove ?? null,
  ),
  check(
    'clippedBelow',
    'Clipped below',
    ['share', 0, 0.3],
    'Share of bad tokens whose update was cut off. If high, lower the learning rate or do fewer updates.',
    ({ diagnostics }) => diagnostics?.clippedBelow ?? null,
  ),
  check(
    'dualClipped',
    'Dual-clipped',
    ['share', 0, 0.05],
    'Share of bad tokens that became several times likelier. If above 5 %, lower the learning rate.',
    ({ diagnostics }) => diagnostics?.dualClipped ?? null,
  ),
  check(
    'explainedVariance',
    'Explained variance',
    ['number', 0, 1],
    'Share of the returns that the critic predicts. Below 0 it misleads: lengthen its warm-up or change its learning rate.',
    ({ diagnostics }) => diagnostics?.explainedVariance ?? null,
    // A critic begins by knowing nothing, and the few failures of a solved task are chance.
    { patience: 10, fallsWhenSolved: true },
  ),
  check(
    'gradientNorm',
    'Gradient norm',
    ['number', 0, 10],
    'Length of the gradient before clipping. If it spikes, lower the learning rate or the gradient clip.',
    ({ gradientNorm }) => gradientNorm,
  ),
  check(
    'information',
    'Information about the task',
    ['share', 0.3, Infinity],
    'Whether the first action depends on the task. Near 0, all tasks get the same answer: filter out groups with equal rewards.',
    ({ diagnostics }) =>
      diagnostics?.information ? diagnostics.information.mutualInformation / diagnostics.information.upperBound : null,
    // Measured at validations only. One answer to all tasks is right where it solves them.
    { patience: 2, fallsWhenSolved: true, onlyOnceReached: true },
  ),
  check(
    'truncated',
    'Cut actions',
    ['share', 0, 0.1],
    'Share of actions cut off by the token limit. Raise the limit or make length cost reward.',
    ({ truncated }) => truncated,
  ),
  check(
    'echoTrap',
    'Echo trap',
    ['alarm', 0, 0],
    'All attempts look the same and still fail. Go back to an earlier checkpoint and lower the learning rate.',
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

/** What every check that was measured says of a run. @param rows ascending by iteration */
export function verdicts(rows: readonly Metrics[]): readonly Verdict[] {
  return healthChecks.flatMap((each) => verdictOf(each, rows) ?? []);
}
