/** Lines in SVG, beside the charts that uPlot draws: scales, paths, round ticks, and the sparkline. Pure. */
import { decimate } from '../lib/series';
import { isOneValue, withinReach } from './axis-range';

export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface Scale {
  readonly x: (value: number) => number;
  readonly y: (value: number) => number;
}

type Ends = readonly [from: number, to: number];

/** Puts values of these ranges into a box in pixels, where y points up. A range of x may be one value. */
export const scaleOf = (x: Ends, y: Ends, across: Ends, down: Ends): Scale => ({
  x: (value) => across[0] + ((value - x[0]) / Math.max(1e-9, x[1] - x[0])) * (across[1] - across[0]),
  y: (value) => down[1] - ((value - y[0]) / (y[1] - y[0])) * (down[1] - down[0]),
});

/** @param digits behind the point */
export const pathOf = (points: readonly Point[], at: Scale, digits = 1): string =>
  points.map(({ x, y }, i) => `${i === 0 ? 'M' : 'L'}${at.x(x).toFixed(digits)} ${at.y(y).toFixed(digits)}`).join('');

/** At most `count` + 1 round numbers from one end to the other. */
export function ticksOf(from: number, to: number, count: number): number[] {
  const rough = (to - from) / count;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 2.5, 5, 10].map((each) => each * power).find((each) => each >= rough * 0.999)!;
  const ticks: number[] = [];
  for (let i = Math.ceil(from / step - 1e-9); i * step <= to + 1e-9; i++) ticks.push(Number((i * step).toPrecision(6)));
  return ticks;
}

export interface Spark {
  /** Of an SVG path; empty if nothing was measured. */
  readonly path: string;
  /** The visible part of the healthy range. */
  readonly band: { readonly y: number; readonly height: number } | null;
}

export interface SparkBox {
  readonly width: number;
  readonly height: number;
  /** Inclusive; Infinity where open. Nothing is shaded without it. */
  readonly healthy?: readonly [number, number];
}

const margin = 2;

/**
 * @param x ascending
 * @param values NaN where not measured; lines run on over such places
 */
export function spark(x: readonly number[], values: readonly number[], box: SparkBox): Spark {
  const { width, height, healthy = [Infinity, Infinity] } = box;
  const measured = values.flatMap((value, i) => (Number.isFinite(value) ? [i] : []));
  if (measured.length === 0) return { path: '', band: null };
  const shown = measured.map((i) => withinReach(values[i]));
  const low = shown.reduce((min, value) => Math.min(min, value));
  const high = shown.reduce((max, value) => Math.max(max, value));
  const flat = isOneValue(low, high);
  const first = x[0];
  const span = Math.max(x[x.length - 1] - first, 1);
  const across = (iteration: number): number => margin + ((width - 2 * margin) * (iteration - first)) / span;
  const down = (value: number): number => margin + (height - 2 * margin) * (flat ? 0.5 : (high - value) / (high - low));
  const points = decimate([shown], 0, shown.length, width).map(
    (i) => `${across(x[measured[i]]).toFixed(1)} ${down(shown[i]).toFixed(1)}`,
  );
  return { path: `M${points.join('L')}${points.length === 1 ? 'h0' : ''}`, band: bandOf(flat ? shown[0] : null) };

  /** A flat line has no scale of its own: it is either in the range or not. */
  function bandOf(only: number | null): Spark['band'] {
    if (only !== null) return only >= healthy[0] && only <= healthy[1] ? { y: 0, height } : null;
    if (healthy[1] < low || healthy[0] > high) return null;
    const top = healthy[1] > high ? 0 : down(healthy[1]);
    const bottom = healthy[0] < low ? height : down(healthy[0]);
    return { y: top, height: Math.max(1, bottom - top) };
  }
}
