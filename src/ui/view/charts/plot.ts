/** Builds the uPlot of a chart: lines, axes, marks, labels and pointers. Holds no data and no state of its own. */
import uPlot from 'uplot';
import { isByHand, withHand, type HandEnds } from '../../../presentation/charts/hand-range';
import { linearRange, logRange } from '../../../share/axis-range';
import { formatStep, formatTick } from '../../../presentation/charts/units';
import { hasOneValue, seriesParts } from '../../../presentation/charts/frame';
import type { ChartMark } from './chart-group.svelte';
import type { Palette } from './palette';
import type { View } from '../../../presentation/charts/view';
import type { ChartSpec, SeriesSpec } from '../../../presentation/charts/specs';

export interface PlotHandlers {
  palette(): Palette;
  view(): View;
  /** Ends of the y axis by hand; null leaves one to the values. */
  ends(): HandEnds;
  /** Places of dashed lines on the x axis. */
  marks(): readonly ChartMark[];
  /** Iteration nearest to a place on the x axis, or null without data. */
  snap(x: number): number | null;
  hover(iteration: number | null): void;
  pick(): void;
  zoomTo(view: View): void;
  fit(): void;
}

/** Drags shorter than this are clicks. */
const minDragPx = 6;
/** Distances of ticks on the x axis: 1, 2, 5, 10 … */
const increments = Array.from({ length: 10 }, (_, power) => [1, 2, 5].map((digit) => digit * 10 ** power)).flat();

export function createPlot(
  host: HTMLElement,
  spec: ChartSpec,
  log: boolean,
  size: { width: number; height: number },
  on: PlotHandlers,
): uPlot {
  return listen(new uPlot(plotOptions(spec, log, size, on), [[]], host), on);
}

export function plotOptions(
  spec: ChartSpec,
  log: boolean,
  size: { width: number; height: number },
  on: PlotHandlers,
): uPlot.Options {
  return {
    ...size,
    legend: { show: false },
    // Half of a last tick such as 10,000 stands beyond the end of the axis.
    padding: [10, spec.endLabels ? endLabelsPx : 20, 0, 0],
    scales: {
      x: {
        time: false,
        range: () => {
          const { from, to } = on.view();
          return [from, to];
        },
      },
      y: { distr: log ? 3 : 1, range: (_, low, high) => withHand(yRange(spec, log, low, high), on.ends()) },
    },
    axes: axes(spec, on),
    series: [{}, ...spec.series.flatMap((series) => parts(series, on)), ...(spec.ghost ? [ghost(on)] : [])],
    bands: spec.series.flatMap((series, i) => (hasBand(series) ? [band(series, i, on)] : [])),
    cursor: cursor(on),
    hooks: {
      setSelect: [(plot) => select(plot, on)],
      draw: [
        (plot) => drawMarks(plot, on.marks(), on.palette()),
        ...(spec.endLabels ? [(plot: uPlot) => drawEndLabels(plot, spec, on.palette())] : []),
      ],
    },
  };
}

function yRange(spec: ChartSpec, log: boolean, low: number | null, high: number | null): [number, number] {
  if (spec.range) {
    const margin = (spec.range[1] - spec.range[0]) * 0.02;
    return [spec.range[0] - margin, spec.range[1] + margin];
  }
  if (low == null || high == null) return log ? [0.1, 10] : [0, 1];
  const [bottom, top] = log ? logRange(low, high) : linearRange(low, high, spec.fromZero);
  return [bottom, top];
}

function axes(spec: ChartSpec, on: PlotHandlers): uPlot.Axis[] {
  const common: uPlot.Axis = {
    stroke: () => on.palette()('text-muted'),
    font: '11px system-ui, sans-serif',
    grid: { stroke: () => on.palette()('grid'), width: 1 },
    ticks: { show: false },
  };
  return [
    {
      ...common,
      size: 24,
      gap: 4,
      space: 56,
      incrs: increments,
      values: (_, splits) => splits.map((v) => spec.axis?.tick?.(v) ?? formatStep(v)),
    },
    {
      ...common,
      size: 50,
      gap: 6,
      space: 28,
      values: (_, splits) => splits.map((v) => (v == null ? null : formatTick(v, spec.unit))),
      ...(spec.unit === 'share' && spec.range && !isByHand(on.ends()) ? { splits: [0, 0.25, 0.5, 0.75, 1] } : {}),
    },
  ];
}

function parts(series: SeriesSpec, on: PlotHandlers): uPlot.Series[] {
  const colour = (): string => on.palette()(series.colour);
  return seriesParts.map((part): uPlot.Series => {
    const base: uPlot.Series = {
      label: `${series.label} ${part}`,
      spanGaps: series.points === true || series.joined === true,
      points: { show: false },
    };
    if (part === 'low' || part === 'high') return { ...base, show: hasBand(series), stroke: 'transparent', width: 0 };
    if (part === 'raw')
      return { ...base, show: !series.points, stroke: () => on.palette()(series.colour, 30), width: 1 };
    const points: uPlot.Series.Points = series.points
      ? { show: true, size: 6, width: 1.5, stroke: colour, fill: () => on.palette()('surface-raised') }
      : { show: standsAlone, size: 7, fill: colour };
    return { ...base, stroke: colour, width: 2, points, ...(series.dash ? { dash: [...series.dash] } : {}) };
  });
}

const hasBand = ({ spread, band: ends }: SeriesSpec): boolean => spread !== undefined || ends !== undefined;

/** One value makes no line: it is drawn as a point. */
const standsAlone = (plot: uPlot, seriesIndex: number): boolean => hasOneValue(plot.data[seriesIndex]);

function ghost(on: PlotHandlers): uPlot.Series {
  return {
    label: 'ghost',
    stroke: () => on.palette()('ghost'),
    width: 2,
    dash: [2, 4],
    spanGaps: true,
    points: { show: standsAlone, size: 7, fill: () => on.palette()('ghost') },
  };
}

function band(series: SeriesSpec, index: number, on: PlotHandlers): uPlot.Band {
  const first = 1 + index * seriesParts.length;
  return {
    series: [first + seriesParts.indexOf('high'), first + seriesParts.indexOf('low')],
    fill: () => on.palette()(series.colour, 15),
  };
}

function cursor(on: PlotHandlers): uPlot.Cursor {
  return {
    y: false,
    points: { show: false },
    drag: { x: true, y: false, setScale: false, dist: minDragPx, click: () => {} },
    bind: {
      // The crosshair is shared by all charts and stays.
      mouseleave: () => null,
      dblclick: () => () => {
        on.fit();
        return null;
      },
    },
    move: (plot, left, top) => {
      if (left < 0) return [left, top];
      const iteration = on.snap(plot.posToVal(left, 'x'));
      return iteration === null ? [-10, -10] : [plot.valToPos(iteration, 'x'), top];
    },
  };
}

function select(plot: uPlot, on: PlotHandlers): void {
  const { left, width } = plot.select;
  if (width < minDragPx) return;
  const view = { from: plot.posToVal(left, 'x'), to: plot.posToVal(left + width, 'x') };
  plot.setSelect({ left: 0, top: 0, width: 0, height: 0 }, false);
  on.zoomTo(view);
}

/**
 * uPlot reports its own cursor moves and those of the pointer alike, and takes a crosshair that was placed for a drag:
 * so the pointer is listened to directly.
 */
export function listen(plot: uPlot, on: PlotHandlers): uPlot {
  const at = (event: MouseEvent): number | null =>
    on.snap(plot.posToVal(event.clientX - plot.over.getBoundingClientRect().left, 'x'));
  plot.over.addEventListener('pointermove', (event) => on.hover(at(event)));
  plot.over.addEventListener('pointerleave', () => on.hover(null));
  let downPx = 0;
  plot.over.addEventListener('pointerdown', (event) => (downPx = event.clientX));
  plot.over.addEventListener('click', (event) => {
    if (Math.abs(event.clientX - downPx) >= minDragPx) return;
    on.hover(at(event));
    on.pick();
  });
  return plot;
}

export function drawMarks(plot: uPlot, marks: readonly ChartMark[], palette: Palette): void {
  if (marks.length === 0) return;
  const { ctx, bbox } = plot;
  ctx.save();
  ctx.lineWidth = devicePixelRatio;
  ctx.setLineDash([5 * devicePixelRatio, 4 * devicePixelRatio]);
  for (const { at, paint } of marks) {
    const x = plot.valToPos(at, 'x', true);
    if (x < bbox.left || x > bbox.left + bbox.width) continue;
    ctx.strokeStyle = palette(paint);
    ctx.beginPath();
    ctx.moveTo(x, bbox.top);
    ctx.lineTo(x, bbox.top + bbox.height);
    ctx.stroke();
  }
  ctx.restore();
}

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
