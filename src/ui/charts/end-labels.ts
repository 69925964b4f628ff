/** The labels of lines at their right ends, one below the other where ends are close. Draws on a uPlot's canvas. */
import type uPlot from 'uplot';
import { seriesParts } from './frame';
import type { Palette } from './palette';
import type { ChartSpec } from './specs';

/** Room for the labels, right of the plot. */
export const endLabelsPx = 112;
const lineHeightPx = 14;

export function drawEndLabels(plot: uPlot, spec: ChartSpec, palette: Palette): void {
  const scale = devicePixelRatio;
  const { ctx, bbox } = plot;
  const ends = spec.series
    .flatMap(({ label, colour }, i) => {
      const values = plot.data[1 + i * seriesParts.length + seriesParts.indexOf('line')] ?? [];
      const last = Array.from(values).findLast((value) => value != null);
      return last == null ? [] : [{ label, colour, y: plot.valToPos(last, 'y', true) }];
    })
    .sort((a, b) => a.y - b.y);
  const places = spreadOut(
    ends.map(({ y }) => y),
    lineHeightPx * scale,
    bbox.top + bbox.height,
  );
  ctx.save();
  ctx.font = `${11 * scale}px system-ui, sans-serif`;
  ctx.textBaseline = 'middle';
  ctx.textAlign = 'left';
  ends.forEach(({ label, colour }, i) => {
    ctx.fillStyle = palette(colour);
    ctx.fillText(label, bbox.left + bbox.width + 6 * scale, places[i], (endLabelsPx - 10) * scale);
  });
  ctx.restore();
}

/** Ascending places, moved so that they are at least `apart` from each other and none is beyond `end`. */
export function spreadOut(ascending: readonly number[], apart: number, end: number): number[] {
  const places: number[] = [];
  for (const place of ascending) places.push(Math.max(place, (places.at(-1) ?? -Infinity) + apart));
  let limit = end;
  for (let i = places.length - 1; i >= 0; i--) {
    places[i] = Math.min(places[i], limit);
    limit = places[i] - apart;
  }
  return places;
}
