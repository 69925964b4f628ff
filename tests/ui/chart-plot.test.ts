/** What a chart asks of uPlot, and what it draws beside the lines, on a canvas that notes each call. */
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type uPlot from 'uplot';
import {
  drawEndLabels,
  drawMarks,
  endLabelsPx,
  listen,
  plotOptions,
  type PlotHandlers,
} from '../../src/ui/view/charts/plot';
import { automatic, type HandEnds } from '../../src/presentation/charts/hand-range';
import type { ChartSpec, SeriesSpec } from '../../src/presentation/charts/specs';

const lineOf = (key: string, more: Partial<SeriesSpec> = {}): SeriesSpec => ({
  key,
  label: key,
  colour: 'series-1',
  value: () => null,
  ...more,
});
const specOf = (more: Partial<ChartSpec> = {}): ChartSpec =>
  ({ key: 'c', name: 'C', about: '', unit: 'number', series: [lineOf('a')], ...more }) as ChartSpec;
const handlers = () => ({
  palette: () => (name: string | number, percent?: number) => `${name}${percent === undefined ? '' : ` ${percent}`}`,
  view: () => ({ from: 2, to: 9 }),
  ends: (): HandEnds => automatic,
  marks: () => [{ at: 3, paint: 'accent' }],
  snap: vi.fn((x: number): number | null => Math.round(x)),
  hover: vi.fn(),
  pick: vi.fn(),
  zoomTo: vi.fn(),
  fit: vi.fn(),
});
const size = { width: 300, height: 200 };
const optionsOf = (spec: ChartSpec, log = false, on = handlers()) =>
  plotOptions(spec, log, size, on as unknown as PlotHandlers);
const rangeOf = (options: uPlot.Options, scale: 'x' | 'y', low: number | null, high: number | null) =>
  (options.scales![scale].range as (...args: unknown[]) => unknown)({}, low, high);

beforeEach(() => void vi.stubGlobal('devicePixelRatio', 2));
afterEach(() => void vi.unstubAllGlobals());

describe('the axes', () => {
  test('x shows the view', () => {
    expect(rangeOf(optionsOf(specOf()), 'x', 0, 100)).toEqual([2, 9]);
  });

  test('y has the range of the chart with a margin, else that of its values, else one that is not empty', () => {
    expect(rangeOf(optionsOf(specOf({ range: [0, 1] })), 'y', 0.4, 0.5)).toEqual([-0.02, 1.02]);
    expect(rangeOf(optionsOf(specOf({ range: [-1, 1] })), 'y', null, null)).toEqual([-1.04, 1.04]);
    expect(rangeOf(optionsOf(specOf()), 'y', null, null)).toEqual([0, 1]);
    expect(rangeOf(optionsOf(specOf()), 'y', 1, null)).toEqual([0, 1]);
    expect(rangeOf(optionsOf(specOf(), true), 'y', null, 1)).toEqual([0.1, 10]);
    expect(rangeOf(optionsOf(specOf({ fromZero: true })), 'y', 1, 2)).toEqual([0, 2.12]);
    const [low, high] = rangeOf(optionsOf(specOf(), true), 'y', 1, 100) as [number, number];
    expect(low).toBeGreaterThan(0);
    expect(low).toBeLessThanOrEqual(1);
    expect(high).toBeGreaterThanOrEqual(100);
  });

  test('shares have quarters, if the whole of them is shown', () => {
    const splits = (spec: ChartSpec) => optionsOf(spec).axes![1].splits;
    expect(splits(specOf({ unit: 'share', range: [0, 1] }))).toEqual([0, 0.25, 0.5, 0.75, 1]);
    expect(splits(specOf({ unit: 'share' }))).toBeUndefined();
    expect(splits(specOf({ range: [0, 1] }))).toBeUndefined();
  });

  test('ends by hand go before all ranges, and have ticks of their own', () => {
    const on = { ...handlers(), ends: () => ({ low: 0.5, high: null }) };
    const options = optionsOf(specOf({ unit: 'share', range: [0, 1] }), false, on);
    expect(rangeOf(options, 'y', 0.4, 0.5)).toEqual([0.5, 1.02]);
    expect(options.axes![1].splits).toBeUndefined();
  });

  test('labels at the ends of lines have room', () => {
    expect(optionsOf(specOf()).padding).toEqual([10, 20, 0, 0]);
    expect(optionsOf(specOf({ endLabels: true })).padding).toEqual([10, endLabelsPx, 0, 0]);
  });
});

test('uPlot draws no legend, no times, no zoom and no pointer of its own', () => {
  const { legend, scales, cursor } = optionsOf(specOf());
  expect([legend!.show, scales!.x.time, cursor!.y, cursor!.points!.show]).toEqual([false, false, false, false]);
  expect(cursor!.drag).toMatchObject({ x: true, y: false, setScale: false, dist: 6 });
  expect([optionsOf(specOf()).scales!.y.distr, optionsOf(specOf(), true).scales!.y.distr]).toEqual([1, 3]);
  expect(optionsOf(specOf()).axes!.map(({ ticks }) => ticks!.show)).toEqual([false, false]);
});

describe('the lines', () => {
  const named = ({ series }: uPlot.Options) => new Map(series.slice(1).map((each) => [each.label as string, each]));

  test('a band is drawn where a series has ends or a spread', () => {
    const ends = { low: () => 0, high: () => 1 };
    const series = [lineOf('plain'), lineOf('spread', { spread: () => 1 }), lineOf('ends', { band: ends })];
    const options = optionsOf(specOf({ series }));
    const lines = named(options);
    expect(['plain', 'spread', 'ends'].map((name) => lines.get(`${name} low`)!.show)).toEqual([false, true, true]);
    expect(['plain', 'spread', 'ends'].map((name) => lines.get(`${name} high`)!.show)).toEqual([false, true, true]);
    const labels = options.series.map(({ label }) => label);
    expect(options.bands!.map(({ series: [high, low] }) => [labels[high], labels[low]])).toEqual([
      ['spread high', 'spread low'],
      ['ends high', 'ends low'],
    ]);
  });

  test('measured points are joined and drawn, without the raw line; a dash is kept', () => {
    const lines = named(optionsOf(specOf({ series: [lineOf('a'), lineOf('b', { points: true, dash: [4, 2] })] })));
    expect(['a', 'b'].map((name) => lines.get(`${name} raw`)!.show)).toEqual([true, false]);
    expect(['a', 'b'].map((name) => lines.get(`${name} line`)!.spanGaps)).toEqual([false, true]);
    expect(['a', 'b'].map((name) => lines.get(`${name} line`)!.dash)).toEqual([undefined, [4, 2]]);
    expect(lines.get('b line')!.points!.show).toBe(true);
    expect(named(optionsOf(specOf({ series: [lineOf('c', { joined: true })] }))).get('c line')!.spanGaps).toBe(true);
  });

  test('each kind of line has its width, its points and its colour; the ghost is dashed', () => {
    const series = [lineOf('a', { spread: () => 1 }), lineOf('b', { points: true, colour: 'series-2' })];
    const options = optionsOf(specOf({ series, ghost: true } as Partial<ChartSpec>));
    const looks = options.series.slice(1).map(({ label, width, stroke, dash, spanGaps, points }) => {
      const colour = typeof stroke === 'function' ? stroke(null as never, 0) : stroke;
      return [label, width, colour, dash, spanGaps, points!.size].join(', ');
    });
    expect(looks).toMatchInlineSnapshot(`
      [
        "a raw, 1, series-1 30, , false, ",
        "a low, 0, transparent, , false, ",
        "a high, 0, transparent, , false, ",
        "a line, 2, series-1, , false, 7",
        "b raw, 1, series-2 30, , true, ",
        "b low, 0, transparent, , true, ",
        "b high, 0, transparent, , true, ",
        "b line, 2, series-2, , true, 6",
        "ghost, 2, ghost, 2,4, true, 7",
      ]
    `);
    const fill = options.bands![0].fill as (plot: unknown, i: number) => string;
    expect(fill(null, 0)).toBe('series-1 15');
  });

  test('one value alone is a point; the ghost is there where the chart has one', () => {
    const points = named(optionsOf(specOf({ ghost: true } as Partial<ChartSpec>)));
    const show = points.get('ghost')!.points!.show as (plot: unknown, i: number) => boolean;
    const plot = {
      data: [
        [1, 2],
        [null, 5],
        [4, 5],
      ],
    };
    expect([1, 2].map((i) => show(plot, i))).toEqual([true, false]);
    expect(named(optionsOf(specOf())).has('ghost')).toBe(false);
  });
});

describe('the pointer', () => {
  const plotAt = (on = handlers()) => {
    const listeners = new Map<string, (event: { clientX: number }) => void>();
    const over = {
      addEventListener: (type: string, act: (event: { clientX: number }) => void) => listeners.set(type, act),
      getBoundingClientRect: () => ({ left: 100 }),
    };
    const plot = { over, posToVal: (left: number) => left / 10, valToPos: (x: number) => 10 * x } as unknown as uPlot;
    return { on, plot, send: (type: string, clientX = 0) => listeners.get(type)!({ clientX }), listeners };
  };

  test('hovers the nearest iteration, and picks it by a click that is no drag', () => {
    const { on, plot, send } = plotAt();
    expect(listen(plot, on as unknown as PlotHandlers)).toBe(plot);
    send('pointermove', 141);
    expect(on.hover).toHaveBeenLastCalledWith(4);
    send('pointerleave');
    expect(on.hover).toHaveBeenLastCalledWith(null);
    send('pointerdown', 150);
    send('click', 156);
    expect(on.pick).not.toHaveBeenCalled();
    send('click', 144);
    expect(on.pick).not.toHaveBeenCalled();
    send('click', 155);
    expect(on.pick).toHaveBeenCalledOnce();
    expect(on.hover).toHaveBeenLastCalledWith(6);
  });

  test('the crosshair snaps, and is away where nothing is', () => {
    const on = handlers();
    const { plot } = plotAt(on);
    const move = optionsOf(specOf(), false, on).cursor!.move!;
    expect(move(plot, 44, 7)).toEqual([40, 7]);
    expect(move(plot, 0, 7)).toEqual([0, 7]);
    expect(move(plot, -5, 7)).toEqual([-5, 7]);
    on.snap.mockReturnValue(null);
    expect(move(plot, 44, 7)).toEqual([-10, -10]);
  });

  test('a drag zooms, a click does not', () => {
    const on = handlers();
    const [select] = optionsOf(specOf(), false, on).hooks!.setSelect!;
    const setSelect = vi.fn();
    const dragged = (width: number) =>
      ({ ...plotAt().plot, setSelect, select: { left: 20, width } }) as unknown as uPlot;
    select!(dragged(5));
    expect(on.zoomTo).not.toHaveBeenCalled();
    select!(dragged(6));
    expect(on.zoomTo).toHaveBeenCalledWith({ from: 2, to: 2.6 });
    expect(setSelect.mock.calls).toEqual([[{ left: 0, top: 0, width: 0, height: 0 }, false]]);
  });
});

describe('on the canvas', () => {
  const bbox = { left: 10, top: 5, width: 100, height: 60 };
  function canvas(data: readonly (readonly (number | null)[])[] = []) {
    const calls: unknown[][] = [];
    const note =
      (name: string) =>
      (...args: unknown[]) =>
        void calls.push([name, ...args]);
    const names = ['save', 'restore', 'setLineDash', 'beginPath', 'moveTo', 'lineTo', 'stroke', 'fillText'];
    const ctx = Object.fromEntries(names.map((name) => [name, note(name)]));
    const valToPos = (value: number, scale: string) => (scale === 'x' ? 10 * value : 65 - value);
    return { calls, plot: { ctx, bbox, data, valToPos } as unknown as uPlot };
  }
  const palette = ((name: string | number) => `${name}`) as unknown as Parameters<typeof drawMarks>[2];

  test('marks are dashed lines within the plot', () => {
    const { calls, plot } = canvas();
    drawMarks(plot, [], palette);
    expect(calls).toEqual([]);
    const marks = [0.9, 1, 5, 11, 11.1].map((at) => ({ at, paint: 'accent' }) as const);
    drawMarks(plot, marks, palette);
    const places = (name: string) => calls.filter(([each]) => each === name).map(([, ...place]) => place);
    expect(places('moveTo')).toEqual([
      [10, 5],
      [50, 5],
      [110, 5],
    ]);
    expect(places('lineTo')).toEqual([
      [10, 65],
      [50, 65],
      [110, 65],
    ]);
    expect(places('setLineDash')).toEqual([[[10, 8]]]);
  });

  test('labels stand at the last values, apart from each other', () => {
    const lines = [
      [40, null],
      [39, null],
      [null, null],
    ];
    // The parts of a series: its line is the one that is labelled.
    const options = optionsOf(specOf({ series: lines.map((_, i) => lineOf(`s${i}`)) }));
    const data: (readonly (number | null)[])[] = options.series.map(() => []);
    lines.forEach((line, i) => {
      data[options.series.findIndex(({ label }) => label === `s${i} line`)] = line;
    });
    const { calls, plot } = canvas(data);
    drawEndLabels(plot, specOf({ series: lines.map((_, i) => lineOf(`s${i}`)) }), palette);
    expect(calls.filter(([name]) => name === 'fillText')).toEqual([
      ['fillText', 's0', 122, 25, 204],
      ['fillText', 's1', 122, 53, 204],
    ]);
  });
});
