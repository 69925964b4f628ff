/** Geometry of a sparkline and of the healthy range behind it. Draws nothing. */
import { isOneValue, withinReach } from '../charts/range';
import { decimate } from '../charts/series';

export interface Spark {
  /** Of an SVG path; empty if nothing was measured. */
  readonly path: string;
  /** The visible part of the healthy range. */
  readonly band: { readonly y: number; readonly height: number } | null;
}

export interface SparkBox {
  readonly width: number;
  readonly height: number;
  /** Inclusive; Infinity where open. */
  readonly healthy: readonly [number, number];
}

const margin = 2;

/**
 * @param x ascending
 * @param values NaN where not measured; lines run on over such places
 */
export function spark(x: readonly number[], values: readonly number[], { width, height, healthy }: SparkBox): Spark {
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
