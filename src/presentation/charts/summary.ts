/** A chart as text: one sentence and a short table, for screen readers and for exact numbers. */
import { evenly } from '../../lib/evenly';
import type { Ghost } from './ghost';
import type { Columns } from './columns';
import { format, type Unit } from './units';
import { lowerBound } from '../../lib/series';
import type { ChartSpec, SeriesSpec } from './specs';
import { text } from './text';

const words = text.summary;

export const maxTableRows = 25;

/**
 * "Success rose from 48 % to 93 % by step 60." Raw values: smoothing never changes it. Before any, what the other run
 * did.
 */
export function summarise(spec: ChartSpec, columns: Columns, ghost: Ghost | null = null): string {
  const measured = (count: number) => spec.series.find((s) => columns.facts(s).measured >= count);
  const series = measured(2) ?? measured(1) ?? spec.series[0];
  const values = columns.values(series);
  const { firstRow: first, lastRow: last, min, max } = columns.facts(series);
  if (first < 0) {
    if (ghost) return ghostSummary(ghost, spec.unit);
    return columns.length > 0 && spec.absent ? spec.absent : words.none(spec.name);
  }
  const from = format(values[first], spec.unit);
  const to = format(values[last], spec.unit);
  const name = spec.series.length > 1 ? `${spec.name} (${series.label})` : spec.name;
  const place = placeOf(spec, columns.iterations[last]);
  if (first === last) return words.one(name, to, place);
  if (from === to) return words.equal(name, to, place, extremes(min, max, spec.unit));
  return words.changed(name, values[last] > values[first], from, to, place);
}

/** A place on the x axis in words: `step 12`. */
const placeOf = ({ axis }: ChartSpec, x: number): string => (axis ? axis.at(x) : text.atStep(x));

/** "Author’s run: 34 % → 84 % in 12 steps." */
function ghostSummary({ name, points }: Ghost, unit: Unit): string {
  const from = points[0];
  const to = points[points.length - 1];
  const whose = name.charAt(0).toUpperCase() + name.slice(1);
  return points.length === 1
    ? words.ghostOne(whose, format(to.y, unit), to.x)
    : words.ghost(whose, format(from.y, unit), format(to.y, unit), to.x);
}

function extremes(min: number, max: number, unit: Unit): string {
  const low = format(min, unit);
  const high = format(max, unit);
  return low === high ? '' : words.between(low, high);
}

export interface TableRow {
  readonly iteration: number;
  readonly cells: readonly string[];
}

/**
 * At most `maxTableRows` rows spread over the run, the first and the last among them; rows where the first series was
 * measured go first.
 */
export function table(spec: ChartSpec, columns: Columns): TableRow[] {
  const leading = columns.values(spec.series[0]);
  let rows = Array.from({ length: columns.length }, (_, i) => i);
  const measured = rows.filter((i) => !Number.isNaN(leading[i]));
  if (measured.length >= 2) rows = measured;
  return evenly(rows, maxTableRows).map((row) => ({
    iteration: columns.iterations[row],
    cells: spec.series.map((s) => cell(s, row, columns, spec.unit)),
  }));
}

function cell(series: SeriesSpec, row: number, columns: Columns, unit: Unit): string {
  const value = format(columns.values(series)[row], unit);
  const spread = columns.spreads(series);
  const band = columns.bands(series);
  if (band) return words.within(value, format(band.low[row], unit), format(band.high[row], unit));
  return spread ? `${value} ± ${format(spread[row], unit)}` : value;
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

/** The values at the crosshair, or the latest, as they are read aloud. */
export function spokenWords(spec: ChartSpec, columns: Columns, cursor: number | null): string {
  if (columns.length === 0) return text.noData;
  const place = cursor === null ? null : columns.nearest(cursor);
  const values = readings(spec, columns, cursor).map((reading) => `${reading.label} ${reading.text}`);
  return text.spoken(place === null ? null : placeOf(spec, place), values.join(', '));
}

/** Why a chart cannot have a logarithmic axis, or null if it can. */
export function logObstacle(spec: ChartSpec, columns: Columns): string | null {
  if (spec.range) return text.logFixed;
  if (columns.length === 0) return text.logEmpty;
  const positive = spec.series.every((series) => columns.facts(series).min > 0);
  return positive ? null : text.logNotPositive;
}
