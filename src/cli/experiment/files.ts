/** What an experiment leaves for other programs: its curves as comma-separated values, and as a picture. */
import { mean } from '../../lib/mean';
import { linesSvg, type Line } from '../../share/curve-svg';
import { metricsCsv } from '../../share/metrics-csv';
import type { ResultRow, Results } from '../../share/results';

/** One line for each iteration of each cell: its row, seed and iteration, then what was measured. */
export function cellsCsv({ rows }: Pick<Results, 'rows'>): string {
  return metricsCsv(
    rows.flatMap(({ name, seeds }) =>
      seeds.flatMap(({ seed, curves }) =>
        curves.success.map((_, at) => {
          const values = Object.entries(curves).map(([curve, numbers]) => [curve, numbers?.[at] ?? null]);
          return { row: name, seed, iteration: at + 1, ...(Object.fromEntries(values) as object) };
        }),
      ),
    ),
  );
}

/** Success of sampled rollouts by iteration, a mean over the seeds of each row; null if no row was trained. */
export function curvesSvg({ title, rows }: Pick<Results, 'title' | 'rows'>): string | null {
  const lines = rows.map(lineOf).filter(({ points }) => points.length > 0);
  return lines.length === 0 ? null : linesSvg(title, lines);
}

/** Degrees between the hues of two rows: neighbours differ, however many there are. */
const hueStep = 137.5;
const dashes = ['', '6 4', '2 3'];

function lineOf({ title, seeds }: ResultRow, at: number): Line {
  const curves = seeds.map(({ curves: { success } }) => success).filter(({ length }) => length > 0);
  const length = curves.length === 0 ? 0 : Math.min(...curves.map((curve) => curve.length));
  return {
    label: title,
    colour: `hsl(${(at * hueStep) % 360} 70% 35%)`,
    dash: dashes[at % dashes.length],
    points: Array.from({ length }, (_, i) => ({ x: i + 1, y: mean(curves.map((curve) => curve[i])) })),
  };
}
