/** The cells of a row of results, as text. */
import { mean } from '../../lib/mean';
import { isScript, pairedDifferences, type Spread } from '../../share/interval';
import { areaUnderSuccess, changesUpdates, iterationsToTrained, promptTokensOf } from '../../share/result-curves';
import type { Moment, ResultRow, Results } from '../../share/results';
import { solvedByCalls } from '../../share/solved-by-calls';
import { formatCount, formatPercent, formatSetting, formatSigned } from '../shell/format';
import { text } from './text';

/** The two ends and what they are; one value has none. */
export function spreadWords(spread: Spread | null): string {
  if (spread === null || spread.kind === 'value') return text.nothing;
  return text[spread.kind](text.fromTo(formatPercent(spread.low), formatPercent(spread.high)));
}

export const meanWords = (spread: Spread | null): string => (spread ? formatPercent(spread.mean) : text.nothing);

/** Each seed's difference from the row's reference, in tasks, with the interval of many. */
export function differenceWords(results: Results, row: ResultRow): string {
  const paired = pairedDifferences(results, row);
  if (paired === null) return text.nothing;
  const { reference, differences, spread } = paired;
  const each = text.against(reference, differences.map(formatSigned).join(', '));
  if (spread.kind !== 'interval') return each;
  return `${each}; ${text.interval(text.fromTo(formatSigned(spread.low), formatSigned(spread.high)))}`;
}

/** Every seed's success at the end; one that failed says so. A script has no seeds. */
export function seedWords(row: ResultRow): string {
  if (isScript(row)) return text.nothing;
  return row.seeds.map(({ end }) => (end ? formatPercent(end.inDistribution.success) : text.failed)).join(', ');
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

export function areaWords(row: ResultRow): string {
  const area = areaUnderSuccess(row);
  return area === null ? text.nothing : formatPercent(area);
}

/** The step of each seed at which its rollouts solve enough. */
export const trainedWords = (row: ResultRow): string =>
  iterationsToTrained(row)
    .map((step) => (step === null ? text.never : formatCount(step)))
    .join(', ') || text.nothing;

/** A run's updates; of an older file, whether its settings change them. */
export function updateWords(row: ResultRow): string {
  if (row.updates !== undefined) return formatCount(row.updates);
  return changesUpdates(row) ? text.otherUpdates : text.nothing;
}

/** Tokens of an episode's prompts together. */
export function promptTokenWords(row: ResultRow): string {
  const tokens = promptTokensOf(row);
  return tokens === null ? text.nothing : formatCount(Math.round(tokens));
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
