/**
 * Parallel coordinates of runs: an axis for each setting that differs, the last one for the result, and a line for each
 * run. Pure.
 */
import type { Difference } from '../config/difference';
import { formatWithMinus } from './charts/units';
import type { ComparedRun, Metric } from './compared-runs';
import { text } from './text';

const words = text.compared.parallel;

/** Axes that fit beside each other; the first ones, in the order of the settings. */
const maxSettings = 6;

interface Mark {
  readonly label: string;
  /** 0 is the foot of the axis, 1 its top. */
  readonly at: number;
}

export interface ParallelAxis {
  readonly title: string;
  readonly marks: readonly Mark[];
}

export interface ParallelLine {
  readonly id: string;
  /** The run, its settings and its result. */
  readonly label: string;
  /** One an axis, 0 … 1. */
  readonly points: readonly number[];
}

export interface Parallel {
  readonly axes: readonly ParallelAxis[];
  /** The least result first, so that the greatest is drawn last. */
  readonly lines: readonly ParallelLine[];
  /** Settings without an axis. */
  readonly left: number;
  readonly summary: string;
}

/**
 * Of runs that have a value of the metric; null if fewer than two have one, or nothing differs.
 * @param differences of all runs, in their order
 */
export function parallelOf(
  runs: readonly ComparedRun[],
  differences: readonly Difference[],
  metric: Metric,
): Parallel | null {
  const results = runs.map(({ record }) => record.metrics.map(metric.value).findLast((y) => y !== null) ?? NaN);
  const measured = runs.map((_, i) => i).filter((i) => Number.isFinite(results[i]));
  if (measured.length < 2 || differences.length === 0) return null;
  const settings = differences.slice(0, maxSettings);
  const columns = settings.map(({ values }) => columnOf(measured.map((i) => values[i])));
  const ys = measured.map((i) => results[i]);
  const [least, most] = [Math.min(...ys), Math.max(...ys)];
  const format = (value: number) => formatWithMinus(value, metric.chart.unit);
  const result = scaleOf(least, most, format);
  const lines = measured.map((i, row) => ({
    id: runs[i].id,
    label: words.line(
      runs[i].name,
      settings.map(({ title, values }) => `${title} ${values[i]}`),
      metric.name,
      format(results[i]),
    ),
    points: [...columns.map(({ points }) => points[row]), result.at(results[i])],
    y: results[i],
  }));
  const best = lines.reduce((a, b) => (b.y > a.y ? b : a));
  return {
    axes: [
      ...settings.map(({ title }, i) => ({ title, marks: columns[i].marks })),
      { title: metric.name, marks: result.marks },
    ],
    lines: lines.toSorted((a, b) => a.y - b.y).map(({ id, label, points }) => ({ id, label, points })),
    left: differences.length - settings.length,
    summary: most === least ? words.equal(lines.length, format(most)) : words.summary(lines.length, best.label),
  };
}

/** Values in even places: numbers ascending, others in the order of the runs. */
function columnOf(values: readonly string[]): { readonly marks: readonly Mark[]; readonly points: readonly number[] } {
  const different = [...new Set(values)];
  const isNumeric = different.every((value) => Number.isFinite(Number(value)));
  if (isNumeric) different.sort((a, b) => Number(a) - Number(b));
  const at = (value: string) => (different.length === 1 ? 0.5 : different.indexOf(value) / (different.length - 1));
  return { marks: different.map((label) => ({ label, at: at(label) })), points: values.map(at) };
}

/** From the least to the greatest result; equal ones lie in the middle. */
function scaleOf(least: number, most: number, format: (value: number) => string) {
  const at = (value: number) => (most === least ? 0.5 : (value - least) / (most - least));
  const ends = most === least ? [least] : [least, most];
  return { marks: ends.map((value): Mark => ({ label: format(value), at: at(value) })), at };
}
