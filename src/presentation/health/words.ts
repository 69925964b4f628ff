/**
 * The health of a run in words: values, ranges, trends, what is out of range, and why a number is missing. Also the
 * gradient norms of the parts of the model.
 */
import type { Metrics } from '../../rl/report';
import { healthChecks, type HealthCheck, type HealthStatus } from '../../share/health';
import { formatWithMinus } from '../charts/units';
import { text } from './text';

type Unit = HealthCheck['unit'];

export function valueWords(value: number, unit: Unit): string {
  if (unit === 'alarm') return value > 0 ? text.caught : text.none;
  return formatWithMinus(value, unit === 'share' ? 'share' : 'number');
}

export function rangeWords({ healthy: [low, high], unit }: HealthCheck): string {
  if (unit === 'alarm') return text.none;
  const from = valueWords(low, unit);
  return high === Infinity ? text.atLeast(from) : text.range(from.replace(/\s%$/, ''), valueWords(high, unit));
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
      .map(({ check }) => text.checks[check.key].title)
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
    .map(({ key }) => {
      const { title } = text.checks[key];
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
