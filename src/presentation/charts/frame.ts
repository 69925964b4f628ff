/**
 * One drawing of a chart as uPlot takes it: aligned columns, decimated to the visible range, with smoothing's raw line
 * and the author's curve. Pure; knows no pixels but the number of buckets.
 */
import type { Point } from '../../share/line-svg';
import type { Columns } from './columns';
import { decimate, minSmoothedPoints, lowerBound, type Column } from '../../lib/series';
import type { ChartSpec } from './specs';

/** null is a gap in a line, undefined an x at which this line has no value. */
export type Values = (number | null | undefined)[];

export interface Frame {
  /** Ascending iterations; the ghost's may lie between two or beyond the run. */
  readonly x: number[];
  /** Per series: raw (empty unless smoothed), low and high of the band, line; then the ghost. */
  readonly lines: readonly Values[];
}

/** Columns a series takes in a frame, in this order. */
export const seriesParts = ['raw', 'low', 'high', 'line'] as const;

export interface FrameOptions {
  readonly smoothing: number;
  /** Visible iterations. */
  readonly from: number;
  readonly to: number;
  readonly buckets: number;
  /** Another run's curve: x ascending. */
  readonly ghost: readonly Point[];
}

export function frame(spec: ChartSpec, columns: Columns, options: FrameOptions): Frame {
  const { iterations } = columns;
  // One point beyond each edge keeps lines running out of the picture instead of stopping short.
  const from = Math.max(0, lowerBound(iterations, options.from) - 1);
  const to = Math.min(iterations.length, lowerBound(iterations, options.to) + 1);
  const parts = spec.series.map((series) => {
    // Single measurements that people read off their points are shown as measured.
    const smoothing = series.points || columns.facts(series).measured < minSmoothedPoints ? 0 : options.smoothing;
    const ends = columns.bands(series, smoothing);
    return {
      raw: smoothing > 0 && !ends ? columns.values(series) : null,
      line: columns.values(series, smoothing),
      spread: columns.spreads(series, smoothing),
      ends,
    };
  });
  const shown = parts.flatMap((part) => (part.raw ? [part.raw, part.line] : [part.line]));
  const rows = decimate(shown, from, to, options.buckets);
  const { x, rowAt } = mergeX(
    rows.map((row) => iterations[row]),
    rows,
    options.ghost.map((point) => point.x),
  );
  const nothing: Values = new Array<undefined>(x.length).fill(undefined);
  const lines = parts.flatMap(({ raw, line, spread, ends }) => [
    raw ? valuesAt(rowAt, raw) : nothing,
    ends ? valuesAt(rowAt, ends.low) : spread ? edgeAt(rowAt, line, spread, -1) : nothing,
    ends ? valuesAt(rowAt, ends.high) : spread ? edgeAt(rowAt, line, spread, 1) : nothing,
    valuesAt(rowAt, line),
  ]);
  return {
    x,
    lines: spec.ghost ? [...lines, options.ghost.length > 0 ? ghostLine(x, options.ghost) : nothing] : lines,
  };
}

export function hasOneValue(values: ArrayLike<number | null | undefined>): boolean {
  let count = 0;
  for (let i = 0; i < values.length && count < 2; i++) if (values[i] != null) count++;
  return count === 1;
}

/** Values of a column at these rows. */
function valuesAt(rowAt: readonly number[], column: Column): Values {
  return rowAt.map((row) => (row < 0 ? undefined : orGap(column[row])));
}

/** An edge of the band around a line: below it where `sign` is −1, above it where it is 1. */
function edgeAt(rowAt: readonly number[], line: Column, spread: Column, sign: 1 | -1): Values {
  return rowAt.map((row) => (row < 0 ? undefined : orGap(line[row] + sign * spread[row])));
}

function orGap(value: number): number | null {
  return Number.isFinite(value) ? value : null;
}

function ghostLine(x: readonly number[], ghost: readonly Point[]): Values {
  const at = new Map(ghost.map((point) => [point.x, orGap(point.y)]));
  return x.map((value) => at.get(value));
}

/** Union of two ascending columns; `rowAt` says which row a place belongs to, −1 if only the second has it. */
function mergeX(first: number[], rows: number[], second: readonly number[]): { x: number[]; rowAt: number[] } {
  if (second.length === 0) return { x: first, rowAt: rows };
  const x: number[] = [];
  const rowAt: number[] = [];
  let i = 0;
  let j = 0;
  while (i < first.length || j < second.length) {
    const takeFirst = j >= second.length || (i < first.length && first[i] <= second[j]);
    const value = takeFirst ? first[i] : second[j];
    if (j < second.length && second[j] === value) j++;
    x.push(value);
    rowAt.push(takeFirst ? rows[i++] : -1);
  }
  return { x, rowAt };
}
