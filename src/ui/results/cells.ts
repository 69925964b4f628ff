/** The cells of a row of results, as text. */
import type { Interval, Moment, ResultRow } from '../../share/results';
import { solvedByCalls } from '../../share/solved-by-calls';
import { formatCount, formatPercent, formatSetting } from '../shell/format';
import { text } from './text';

export const intervalWords = (interval: Interval | null): string =>
  interval ? text.range(formatPercent(interval.low), formatPercent(interval.high)) : text.nothing;

export const meanWords = (interval: Interval | null): string =>
  interval ? formatPercent(interval.mean) : text.nothing;

/** Every seed's success at the end; one that failed says so. */
export function seedWords({ seeds }: ResultRow): string {
  return seeds.map(({ end }) => (end ? formatPercent(end.inDistribution.success) : text.failed)).join(', ');
}

/** Mean over seeds before reinforcement began. */
export function warmWords({ seeds }: ResultRow): string {
  const shares = seeds.flatMap(({ warm }) => warm?.inDistribution.success ?? []);
  return shares.length === 0 ? text.nothing : formatPercent(mean(shares));
}

/** Means over seeds of what the rollouts of the first and of the last iteration did. */
export function sampledWords({ seeds }: ResultRow): string {
  const curves = seeds.map((seed) => seed.curves.success).filter(({ length }) => length > 0);
  if (curves.length === 0) return text.nothing;
  const [first, last] = [0, -1].map((at) => formatPercent(mean(curves.map((curve) => curve.at(at)!))));
  return text.sampledRange(first, last);
}

/** How many tasks all seeds together solved with 0, 1, 2 … tool calls. */
export function callWords(row: ResultRow, split: keyof Moment): string {
  const solved = solvedByCalls(row, split);
  return solved === null ? text.nothing : solved.map((count) => formatCount(count)).join(' / ') || formatCount(0);
}

export function changeWords({ path, from, to }: ResultRow['changes'][number]): string {
  const shown = (value: typeof from) =>
    value === null ? text.unset : typeof value === 'number' ? formatSetting(value) : String(value);
  return `${path}: ${shown(from)} → ${shown(to)}`;
}

const mean = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length;
