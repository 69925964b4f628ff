/**
 * Curves of several runs on one chart: one line a run, or one for all seeds of a setup or all runs with one value of a
 * setting, in a band; the small line of a run in the list. Pure.
 */
import { mean } from '../lib/mean';
import type { RunConfig } from '../config/config';
import type { Difference } from '../config/difference';
import { differInSeedOnly, families } from '../config/sweep';
import type { Metrics } from '../rl/report';
import type { RunRecord, KeptRun } from '../run/store/saved-run';
import { more, success, type ChartSpec, type SeriesSpec, type Axis } from './charts/specs';
import { withoutSeed } from '../lib/run-names';
import { text } from './text';
import { iterationMs } from '../share/run-metrics';
import { formatCompact } from '../lib/amounts';
import { formatRough } from '../lib/format';

const words = text.compared;

/** What curves of several runs can be drawn over: steps, sampled tokens, or the time that the steps took. */
export type AxisName = 'step' | 'tokens' | 'time';

interface Choice {
  readonly axis: Axis;
  /** One a row. */
  readonly xs: (metrics: readonly Metrics[]) => number[];
}

export const axes: Readonly<Record<AxisName, Choice>> = {
  step: {
    axis: { name: words.axes.step, at: words.axes.atStep },
    xs: (metrics) => metrics.map(({ iteration }) => iteration),
  },
  tokens: {
    axis: { name: words.axes.tokens, at: (x) => words.axes.atTokens(formatCompact(x)), tick: formatCompact },
    xs: (metrics) => running(metrics, ({ sampledTokens }) => sampledTokens),
  },
  time: {
    axis: { name: words.axes.time, at: (x) => words.axes.atTime(formatRough(x)), tick: formatRough },
    xs: (metrics) => running(metrics, (row) => iterationMs(row) / 1000),
  },
};

/** Running sum. A row of a thinned run stands for the iterations that are missing before it, too. */
function running(metrics: readonly Metrics[], of: (metrics: Metrics) => number): number[] {
  let sum = 0;
  let before = 0;
  return metrics.map((row) => {
    sum += of(row) * (row.iteration - before);
    before = row.iteration;
    return sum;
  });
}

/** Lines of a chart, which is the number of its colours; one line may be many seeds. */
export const maxLines = 6;
export const maxCompared = 24;

/** A run to draw. */
export interface ComparedRun {
  readonly id: string;
  readonly name: string;
  readonly config: RunConfig;
  readonly record: RunRecord;
  /** Iterations after which its config changed. */
  readonly configChanges: readonly number[];
}

/** A metric to choose: a line of one of the Lab's charts. */
export interface Metric {
  readonly key: string;
  readonly name: string;
  readonly chart: ChartSpec;
  readonly value: SeriesSpec['value'];
}

/** Runs that one line is drawn for: each alone, those that differ in their seed only, or those alike in a setting. */
export type Grouping = 'runs' | 'seeds' | Difference;

interface Group {
  readonly label: string;
  readonly runs: readonly ComparedRun[];
}

interface Line {
  readonly label: string;
  /** Ascending by x. */
  readonly points: readonly { readonly x: number; readonly y: number; readonly low: number; readonly high: number }[];
}

const dashes = [undefined, [6, 4], [2, 3], [10, 3, 2, 3], [12, 4], [4, 2]] as const;

export const metricsToChoose: readonly Metric[] = [success, ...more]
  .filter(({ quiet }) => !quiet)
  .flatMap((chart) =>
    chart.series.map(({ key, label, value }) => ({
      key,
      name: chart.series.length > 1 ? `${chart.name}: ${label}` : chart.name,
      chart,
      value,
    })),
  );

/** Whether a run can be drawn beside those that are chosen. */
export function fitsBeside<T extends { readonly config: RunConfig }>(chosen: readonly T[], run: T): boolean {
  const lines = families(chosen);
  const hasLine = lines.some(({ runs: [first] }) => differInSeedOnly(first.config, run.config));
  return chosen.length < maxCompared && (hasLine || lines.length < maxLines);
}

/**
 * The chart, its rows, one for each x at which a line has a point, and the places where the config of a run changed.
 * @param grouping where there are more runs than lines, seeds are always one
 */
export function comparedChart(
  runs: readonly ComparedRun[],
  metric: Metric,
  axis: AxisName,
  grouping: Grouping,
): { readonly spec: ChartSpec; readonly rows: readonly Metrics[]; readonly marks: readonly number[] } {
  const groups = groupsOf(runs, grouping === 'runs' && runs.length > maxLines ? 'seeds' : grouping);
  const lines = groups.map((group) => lineOf(group, metric, axis));
  const xs = [...new Set(lines.flatMap(({ points }) => points.map(({ x }) => x)))].sort((a, b) => a - b);
  const { chart } = metric;
  return {
    spec: {
      name: metric.name,
      meaning: chart.meaning,
      healthy: chart.healthy,
      unit: chart.unit,
      ...(chart.range && { range: chart.range }),
      ...(chart.fromZero && { fromZero: true }),
      endLabels: true,
      axis: axes[axis].axis,
      series: lines.map((line, i) => seriesOf(line, i, groups[i].runs.length > 1)),
    },
    // The chart reads nothing of a row but its place: each line looks up its own value there.
    rows: xs.map((iteration) => ({ iteration }) as Metrics),
    marks: runs.flatMap((run) => changesOf(run, axis)),
  };
}

function groupsOf(runs: readonly ComparedRun[], grouping: Grouping): readonly Group[] {
  if (grouping === 'runs') return runs.map((run) => ({ label: run.name, runs: [run] }));
  if (grouping === 'seeds')
    return families(runs).map(({ runs: seeds }) => {
      const { name } = seeds[0];
      return { label: seeds.length > 1 ? words.seeds(withoutSeed(name), seeds.length) : name, runs: seeds };
    });
  const { values } = grouping;
  return [...new Set(values)].map((value) => {
    const alike = runs.filter((_, i) => values[i] === value);
    return { label: words.alike(value, alike.length), runs: alike };
  });
}

/** Settings by which runs can be grouped: each that differs, but the seed, which each run of a setup has for itself. */
export const groupable = (differences: readonly Difference[]): readonly Difference[] =>
  differences.filter(({ path }) => path !== 'seed');

/** Half-way between the steps before and after each change. */
function changesOf({ record: { metrics }, configChanges }: ComparedRun, axis: AxisName): number[] {
  const xs = axes[axis].xs(metrics);
  return configChanges.flatMap((change) => {
    const after = metrics.findIndex(({ iteration }) => iteration > change);
    if (after < 1) return [];
    const from = metrics[after - 1].iteration;
    const share = (change + 0.5 - from) / (metrics[after].iteration - from);
    return xs[after - 1] + share * (xs[after] - xs[after - 1]);
  });
}

function seriesOf({ label, points }: Line, i: number, banded: boolean): SeriesSpec {
  const at = new Map(points.map((point) => [point.x, point]));
  const dash = dashes[i];
  return {
    key: `${i} ${label}`,
    label,
    colour: `series-${i + 1}`,
    joined: true,
    ...(dash && { dash }),
    value: ({ iteration }) => at.get(iteration)?.y ?? null,
    ...(banded && {
      band: {
        low: ({ iteration }: Metrics) => at.get(iteration)?.low ?? null,
        high: ({ iteration }: Metrics) => at.get(iteration)?.high ?? null,
      },
    }),
  };
}

/** Where all runs of a group were measured: the mean of x and of the metric, and the metric's least and greatest. */
function lineOf({ label, runs }: Group, metric: Metric, axis: AxisName): Line {
  const columns = runs.map(({ record }) => {
    const xs = axes[axis].xs(record.metrics);
    return new Map(
      record.metrics.flatMap((row, i) => {
        const y = metric.value(row);
        return y === null || !Number.isFinite(y) ? [] : [[row.iteration, { x: xs[i], y }] as const];
      }),
    );
  });
  const steps = [...columns[0].keys()].filter((step) => columns.every((column) => column.has(step)));
  return {
    label,
    points: steps.map((step) => {
      const here = columns.map((column) => column.get(step)!);
      const ys = here.map(({ y }) => y);
      return { x: mean(here.map(({ x }) => x)), y: mean(ys), low: Math.min(...ys), high: Math.max(...ys) };
    }),
  };
}

export interface RowLine {
  readonly measure: 'unseen' | 'practice';
  /** The last value, 0 … 1; undefined before the first. */
  readonly result: number | undefined;
  /** x is a share of the run so far, y is success; both 0 … 1, ascending by x. */
  readonly points: readonly { readonly x: number; readonly y: number }[];
}

/** Of unseen tasks if there was a validation, else of practice; a run of an earlier version may have no points. */
export function rowLineOf({ curve, validation, unseen = [], iteration }: KeptRun): RowLine {
  if (validation === null) {
    const last = Math.max(1, curve.length - 1);
    return { measure: 'practice', result: curve.at(-1), points: curve.map((y, i) => ({ x: i / last, y })) };
  }
  const span = Math.max(1, iteration - 1);
  return {
    measure: 'unseen',
    result: validation,
    points: unseen.map((point) => ({ x: (point.iteration - 1) / span, y: point.success })),
  };
}
