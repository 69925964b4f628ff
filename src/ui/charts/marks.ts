/** Dashed vertical lines where a run's config changed. Draws on a uPlot's canvas. */
import type uPlot from 'uplot';
import type { Palette } from './palette';

/** @param marks places on the x axis */
export function drawMarks(plot: uPlot, marks: readonly number[], palette: Palette): void {
  if (marks.length === 0) return;
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.strokeStyle = palette('text-muted');
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([5 * devicePixelRatio, 4 * devicePixelRatio]);
  for (const mark of marks) {
    const x = plot.valToPos(mark, 'x', true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}
