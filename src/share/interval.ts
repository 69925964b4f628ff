/**
 * What seeds say about a row: mean, range or interval, and differences from another row on the same seeds. Not in
 * results.ts, so that the page need not load the schema.
 */
import { mean } from '../lib/mean';
import type { Interval, MeasuredMoment, ResultRow, Results } from './results';

/** With fewer seeds a table shows their range. */
export const minForInterval = 6;

export interface Spread extends Interval {
  /** `low` and `high` are the one value, the least and the largest of few or equal values, or a 95 % interval. */
  readonly kind: 'value' | 'range' | 'interval';
}

const anyNumber = [-Infinity, Infinity] as const;

/** Mean of values with its 95 % t interval, cut to the bounds that means have, or with their range. Null of none. */
export function spreadOf(values: readonly number[], bounds: readonly [number, number] = anyNumber): Spread | null {
  const count = values.length;
  if (count === 0) return null;
  const mean = meanOf(values);
  const [least, largest] = [Math.min(...values), Math.max(...values)];
  if (count < minForInterval || least === largest)
    return { mean, low: least, high: largest, kind: count === 1 ? 'value' : 'range' };
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1);
  const half = studentQuantile(count - 1) * Math.sqrt(variance / count);
  return { mean, low: Math.max(bounds[0], mean - half), high: Math.min(bounds[1], mean + half), kind: 'interval' };
}

/**
 * The 97.5 % quantile of Student's t, to 3e-4 from 5 degrees of freedom on: Abramowitz & Stegun 26.7.5, whose
 * polynomials have these values at the normal quantile 1.95996.
 */
function studentQuantile(degrees: number): number {
  return [2.37227, 2.8225, 2.55585, 1.58953].reduce((sum, term, i) => sum + term / degrees ** (i + 1), 1.959964);
}

/** Sums in ascending order, so that the order of seeds does not matter. */
const meanOf = (values: readonly number[]): number => mean(values.toSorted((a, b) => a - b));

/** Whether a row is a script. It has no seeds: older files repeat its one result for each. */
export const isScript = ({ seeds }: Pick<ResultRow, 'seeds'>): boolean => seeds.every(({ start }) => start === null);

/** A number of each seed that finished, or the only one of a script. */
export function endValues(row: Pick<ResultRow, 'seeds'>, pick: (end: MeasuredMoment) => number | undefined): number[] {
  const values = row.seeds.flatMap(({ end }) => (end && pick(end)) ?? []);
  return isScript(row) ? values.slice(0, 1) : values;
}

/** Success of a row's agents on a split; null if none was measured. */
export function successOf(row: Pick<ResultRow, 'seeds'>, split: keyof MeasuredMoment): Spread | null {
  return spreadOf(
    endValues(row, (end) => end[split]?.success),
    [0, 1],
  );
}

export const turnsOf = (row: Pick<ResultRow, 'seeds'>): Spread | null =>
  spreadOf(endValues(row, ({ inDistribution }) => inDistribution.turns));

export interface Paired {
  /** Title of the row that is compared with. */
  readonly reference: string;
  /** Solved tasks more than the reference's on the same seed. [seeds that both finished] */
  readonly differences: readonly number[];
  readonly spread: Spread;
}

/** The row that others are compared with where a file names none. */
const usualReference = 'grpo';

/** Differences from the row's reference, seed by seed; null if it is the reference, a script, or shares no seed. */
export function pairedDifferences({ rows, tasks }: Pick<Results, 'rows' | 'tasks'>, row: ResultRow): Paired | null {
  const reference = rows.find(({ name }) => name === (row.reference ?? usualReference));
  if (!reference || reference.name === row.name || isScript(row)) return null;
  const differences = row.seeds.flatMap(({ seed, end }) => {
    const other = reference.seeds.find((each) => each.seed === seed)?.end;
    return end && other ? Math.round(tasks * (end.inDistribution.success - other.inDistribution.success)) : [];
  });
  const spread = spreadOf(differences);
  return spread && { reference: reference.title, differences, spread };
}
