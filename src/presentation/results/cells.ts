/** The cells of a row of results, as text, and its curves: one chart a row, one line a seed. */
import { mean } from '../../lib/mean';
import { isScript, pairedDifferences, turnsOf, type Spread } from '../../share/interval';
import {
  areaUnderSuccess,
  changesUpdates,
  iterationsToTrained,
  peakOfSuccess,
  promptTokensOf,
  type CurveName,
} from '../../share/result-curves';
import { passRates } from '../../share/pass-at-k';
import type { MeasuredMoment, ResultRow, Results } from '../../share/results';
import { solvedByCalls } from '../../share/solved-by-calls';
import { formatPercent, formatSetting } from '../../lib/amounts';
import { formatCount, formatSigned } from '../../lib/format';
import { text } from './text';
import type { Metrics } from '../../rl/report';
import { text as chartText, type ChartText } from '../charts/text';
import type { ChartSpec } from '../charts/specs';
import type { Unit } from '../charts/units';

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
  const meanAt = (at: number) => formatPercent(mean(curves.map((curve) => curve.at(at)!)));
  return text.sampledRange(meanAt(0), meanAt(-1));
}

/** The highest point of the rollouts' mean curve, and its step. */
export function peakWords(row: ResultRow): string {
  const peak = peakOfSuccess(row);
  return peak === null ? text.nothing : text.peakAt(formatPercent(peak.success), formatCount(peak.iteration));
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
export function callWords(row: ResultRow, split: keyof MeasuredMoment): string {
  const solved = solvedByCalls(row, split);
  return solved === null ? text.nothing : solved.map((count) => formatCount(count)).join(' / ') || formatCount(0);
}

/** Mean turns of an episode. */
export const turnWords = (row: ResultRow): string => turnsOf(row)?.mean.toFixed(2) ?? text.nothing;

export function passWords(row: ResultRow, k: number): string {
  const rates = passRates(row, k);
  return rates === null ? text.nothing : text.sampledRange(formatPercent(rates[0]), formatPercent(rates[1]));
}

export const paperWords = ({ paper }: ResultRow): string => (paper === null ? text.nothing : formatPercent(paper));

export function changeWords({ path, from, to }: ResultRow['changes'][number]): string {
  const shown = (value: typeof from) =>
    value === null ? text.unset : typeof value === 'number' ? formatSetting(value) : String(value);
  return `${path}: ${shown(from)} → ${shown(to)}`;
}

const { entropy, kl, clipFraction, gradientNorm, turns } = chartText.charts;

/** Texts and units of the curves to choose from. */
export const curveKinds: Readonly<Record<CurveName, ChartText & { readonly unit: Unit }>> = {
  success: { ...text.curves.success, unit: 'share' },
  entropy: { ...entropy, unit: 'number' },
  kl: { ...kl, unit: 'number' },
  clipFraction: { ...clipFraction, unit: 'share' },
  gradientNorm: { ...gradientNorm, unit: 'number' },
  explainedVariance: { ...text.curves.explainedVariance, unit: 'number' },
  turns: { ...turns, unit: 'number' },
};

const colours = 8;
const dashes = [[], [6, 4], [2, 3], [10, 3, 2, 3]];

/** The chart of a row, or null if no seed measured the curve. */
export function curveChart({ title, seeds }: ResultRow, name: CurveName): ChartSpec | null {
  const series = seeds.flatMap(({ seed, curves }, i) => {
    const curve = curves[name];
    if (!curve?.some((value) => value !== null)) return [];
    return {
      key: String(seed),
      label: text.seed(seed),
      colour: `series-${(i % colours) + 1}`,
      dash: dashes[Math.floor(i / colours) % dashes.length],
      // Other curves are measured in every iteration.
      points: name === 'kl',
      value: ({ iteration }: Metrics) => curve[iteration - 1] ?? null,
    };
  });
  return series.length === 0 ? null : { ...curveKinds[name], name: title, series };
}

/** Why a table has no chart of a curve. */
export function absentCurve(rows: readonly ResultRow[], name: CurveName): string {
  const isKept = rows.some(({ seeds }) => seeds.some(({ curves }) => curves[name] !== undefined));
  return isKept ? text.notMeasured : text.notKept;
}

/** One row of metrics an iteration. Lines read their own curve at its number, so it needs no metric. */
export function curveSteps(rows: readonly ResultRow[]): Metrics[] {
  const count = Math.max(0, ...rows.flatMap(({ seeds }) => seeds.map(({ curves }) => curves.success.length)));
  return Array.from({ length: count }, (_, i) => ({ iteration: i + 1 }) as Metrics);
}
