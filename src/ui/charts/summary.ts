/**
 * A chart in words: a sentence, and a table short enough to read. For people who do not see the lines, and for those
 * who want numbers.
 */
import type { Ghost } from '../share/ghost';
import type { Columns } from './columns';
import { format, type Unit } from './units';
import { lowerBound } from './series';
import type { ChartSpec, SeriesSpec } from './specs';

export const mostTableRows = 25;

/**
 * "Success rose from 48 % to 93 % by step 60." Raw values: smoothing never changes it. Before any, what the other run
 * did.
 */
export function summarise(spec: ChartSpec, columns: Columns, ghost: Ghost | null = null): string {
  const measured = (least: number) => spec.series.find((s) => columns.facts(s).measured >= least);
  const series = measured(2) ?? measured(1) ?? spec.series[0];
  const values = columns.values(series);
  const { firstRow: first, lastRow: last, least, greatest } = columns.facts(series);
  if (first < 0)
    return ghost
      ? ghostSummary(ghost, spec.unit)
      : columns.length > 0 && spec.absent
        ? spec.absent
        : `${spec.name} has no data yet.`;
  const [from, to] = [format(values[first], spec.unit), format(values[last], spec.unit)];
  const name = spec.series.length > 1 ? `${spec.name} (${series.label})` : spec.name;
  if (first === last) return `${name} is ${to} at step ${columns.iterations[last]}.`;
  const step = `step ${columns.iterations[last]}`;
  if (from === to) return `${name} began at ${from} and is ${to} at ${step}${extremes(least, greatest, spec.unit)}.`;
  return `${name} ${values[last] > values[first] ? 'rose' : 'fell'} from ${from} to ${to} by ${step}.`;
}

/** "Author’s run: 34 % → 84 % in 12 steps." */
function ghostSummary({ name, points }: Ghost, unit: Unit): string {
  const [from, to] = [points[0], points[points.length - 1]];
  const whose = name.charAt(0).toUpperCase() + name.slice(1);
  const steps = `${to.x} step${to.x === 1 ? '' : 's'}`;
  return points.length === 1
    ? `${whose}: ${format(to.y, unit)} after ${steps}.`
    : `${whose}: ${format(from.y, unit)} → ${format(to.y, unit)} in ${steps}.`;
}

function extremes(least: number, greatest: number, unit: Unit): string {
  const [low, high] = [format(least, unit), format(greatest, unit)];
  return low === high ? '' : `, between ${low} and ${high}`;
}

export interface TableRow {
  readonly iteration: number;
  readonly cells: readonly string[];
}

/**
 * At most `mostTableRows` rows spread over the run, the first and the last among them; rows where the first series was
 * measured go first.
 */
export function table(spec: ChartSpec, columns: Columns): TableRow[] {
  const leading = columns.values(spec.series[0]);
  let rows = Array.from({ length: columns.length }, (_, i) => i);
  const measured = rows.filter((i) => !Number.isNaN(leading[i]));
  if (measured.length >= 2) rows = measured;
  const count = Math.min(rows.length, mostTableRows);
  return Array.from({ length: count }, (_, i) => {
    const row = rows[count === 1 ? 0 : Math.round((i * (rows.length - 1)) / (count - 1))];
    return { iteration: columns.iterations[row], cells: spec.series.map((s) => cell(s, row, columns, spec.unit)) };
  });
}

function cell(series: SeriesSpec, row: number, columns: Columns, unit: Unit): string {
  const text = format(columns.values(series)[row], unit);
  const spread = columns.spreads(series);
  return spread ? `${text} ± ${format(spread[row], unit)}` : text;
}

/**
 * Values of all series at an iteration (the nearest before it that was measured), or the last ones without an
 * iteration.
 */
export function readings(
  spec: ChartSpec,
  columns: Columns,
  iteration: number | null,
): { label: string; text: string }[] {
  const end =
    iteration === null ? columns.length - 1 : Math.min(lowerBound(columns.iterations, iteration), columns.length - 1);
  return spec.series.map((series) => {
    const values = columns.values(series);
    let row = end;
    while (row > 0 && Number.isNaN(values[row])) row--;
    return { label: series.label, text: row < 0 ? '–' : cell(series, row, columns, spec.unit) };
  });
}

/** Why a chart cannot have a logarithmic axis, or null if it can. */
export function logObstacle(spec: ChartSpec, columns: Columns): string | null {
  if (spec.range) return 'A log axis is off: this axis is fixed at 0 – 100 %.';
  if (columns.length === 0) return 'A log axis is off: there is no data yet.';
  const positive = spec.series.every((series) => columns.facts(series).least > 0);
  return positive ? null : 'A log axis is off: some values are zero or negative.';
}
