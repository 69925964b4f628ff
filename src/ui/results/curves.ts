/** The curves of a table's rows, as charts: one chart a row, one line a seed. */
import type { CurveName } from '../../share/result-curves';
import type { ResultRow } from '../../share/results';
import type { Metrics } from '../../rl/report';
import { text as chartText, type ChartText } from '../charts/text';
import type { ChartSpec } from '../charts/specs';
import type { Unit } from '../charts/units';
import { text } from './text';

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
