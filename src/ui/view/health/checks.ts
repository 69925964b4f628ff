/**
 * Judges a run by its diagnostics: each check reads one number of an iteration and compares it with the healthy range.
 * The page judges, not the trainer, because a recording is shown where no trainer answers.
 * Also the words of its values, ranges and trends, and why one is missing.
 */
import { explainingPatience, solvedSuccess } from '../../../share/critic-health';
import type { Metrics } from '../../../rl/report';
import { healthyRanges, type Diagnostic, type HealthyRange, format } from '../charts/units';
import { text } from './text';

export interface HealthCheck {
  readonly key: Diagnostic;
  readonly title: string;
  readonly unit: 'number' | 'share' | 'nats' | 'alarm';
  /** Inclusive; Infinity where open. */
  readonly healthy: HealthyRange;
  readonly sentence: string;
  /** Null where the iteration has no such number. */
  readonly read: (metrics: Metrics) => number | null;
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
  ...text.checks[key],
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
export function statusOf(check: HealthCheck, rows: readonly Metrics[]): HealthStatus | null {
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
export function statuses(rows: readonly Metrics[]): readonly HealthStatus[] {
  return healthChecks.flatMap((each) => statusOf(each, rows) ?? []);
}

type Unit = HealthCheck['unit'];

export function valueWords(value: number, unit: Unit): string {
  if (unit === 'alarm') return value > 0 ? text.caught : text.none;
  return format(value, unit === 'share' ? 'share' : 'number').replace(/^-/, '−');
}

export function rangeWords({ healthy: [low, high], unit }: HealthCheck): string {
  if (unit === 'alarm') return text.none;
  const from = valueWords(low, unit);
  return high === Infinity ? text.atLeast(from) : text.range(from.replace(/ %$/, ''), valueWords(high, unit));
}

/** `from 0.05 to 0.01 over 40 iterations`. @param values NaN where not measured, one an iteration */
export function trendWords(values: readonly number[], iterations: readonly number[], unit: Unit): string {
  const first = values.findIndex(Number.isFinite);
  const last = values.findLastIndex(Number.isFinite);
  if (first < 0) return text.unmeasured;
  if (first === last) return text.once(valueWords(values[first], unit), iterations[first]);
  return text.trend(
    valueWords(values[first], unit),
    valueWords(values[last], unit),
    iterations[last] - iterations[first] + 1,
  );
}

/** The unit behind a value; shares carry their own. */
export const unitWords = (unit: Unit): string => (unit === 'nats' ? text.nats : '');

/** The states that matter, the worst first; empty before anything was measured. */
export type HealthSummary = readonly { readonly state: 'ok' | 'watch' | 'alarm'; readonly words: string }[];

export function summaryOf(statuses: readonly HealthStatus[]): HealthSummary {
  if (statuses.length === 0) return [];
  const titles = (state: HealthStatus['state']) =>
    statuses
      .filter((each) => each.state === state)
      .map(({ check }) => check.title)
      .join(', ');
  const left = (['alarm', 'watch'] as const).flatMap((state) => {
    const names = titles(state);
    return names === '' ? [] : [{ state, words: text.named(text.states[state], names) }];
  });
  return left.length > 0
    ? left
    : [
        {
          state: 'ok',
          words: text.allOk(statuses.filter(({ state }) => state !== 'unreached').length, statuses.length),
        },
      ];
}

/** Why a diagnostic is missing. Empty for runs that an earlier version recorded. */
export function absences(statuses: readonly HealthStatus[], rows: readonly Metrics[]): readonly string[] {
  const last = rows[rows.length - 1]?.diagnostics;
  if (!last) return [];
  return healthChecks
    .filter((check) => statuses.every((each) => each.check !== check))
    .map(({ key, title }) => {
      if (key === 'explainedVariance') return text.absent(title, last.critic ? text.sameReturns : text.noCritic);
      return text.absent(title, key === 'information' ? text.sameTasks : text.unmeasured);
    });
}

/** A part of the model and its gradient norm in each iteration, NaN where not measured. */
export interface PartNorms {
  readonly title: string;
  readonly values: readonly number[];
}

export function partNorms(rows: readonly Metrics[]): readonly PartNorms[] {
  const parts = rows.findLast((row) => row.diagnostics?.partNorms)?.diagnostics?.partNorms ?? {};
  const list = (Object.keys(parts) as (keyof typeof parts)[]).map((part) => ({
    title: text.parts[part],
    values: rows.map((row) => row.diagnostics?.partNorms?.[part] ?? NaN),
  }));
  const critic = rows.map((row) => row.diagnostics?.critic?.gradientNorm ?? NaN);
  return critic.some(Number.isFinite) ? [...list, { title: text.parts.critic, values: critic }] : list;
}
