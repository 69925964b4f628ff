/** Axes of hostile values: whatever a run reports, an axis is finite and has room for ticks that differ. */
import { describe, expect, it } from 'vitest';
import { Columns } from '../../src/presentation/charts/columns';
import { frame } from '../../src/presentation/charts/frame';
import { isOneValue, linearRange, logRange } from '../../src/share/axis-range';
import { MovingAverage } from '../../src/lib/series';
import { more } from '../../src/presentation/charts/specs';
import { spark } from '../../src/share/line-svg';
import { metricsRow } from '../helpers/metrics-row';

const hostile = [
  0,
  -0,
  1,
  0.3,
  -1,
  1e6,
  1e-9,
  5e-324,
  -5e-324,
  1e-300,
  1e17,
  1e33,
  1e308,
  -1e308,
  Infinity,
  -Infinity,
  NaN,
];

/** What uPlot needs to come to an end: it adds about a twelfth of the span until it is past the top. */
function expectSane([low, high]: readonly [number, number], of: unknown): void {
  expect(Number.isFinite(low) && Number.isFinite(high), `${String(of)}: ${low} to ${high}`).toBe(true);
  const step = (high - low) / 100;
  expect(low + step, `${String(of)}: ${low} to ${high}`).toBeGreaterThan(low);
  expect(high + step, `${String(of)}: ${low} to ${high}`).toBeGreaterThan(high);
}

describe('the range of an axis', () => {
  it('is finite and has room for ticks, whatever the values', () => {
    for (const low of hostile)
      for (const high of hostile)
        for (const fromZero of [false, true])
          if (!(low > high)) expectSane(linearRange(low, high, fromZero), [low, high, fromZero]);
  });

  it('is wide for a constant that smoothing has made differ in its last bits', () => {
    for (const value of [1, 0.3, 1e6]) {
      const values = new MovingAverage(0.6).of(new Array(40).fill(value));
      const [low, high] = linearRange(Math.min(...values), Math.max(...values));
      expect(high - low, String(value)).toBeGreaterThanOrEqual(1);
      expect(low).toBeLessThan(value);
      expect(high).toBeGreaterThan(value);
    }
  });

  it('begins at 0 where 0 is shown, and leaves a margin elsewhere', () => {
    expect(linearRange(0, 2, true)).toEqual([0, 2.12]);
    expect(linearRange(1, 2, true)).toEqual([0, 2.12]);
    expect(linearRange(0, 0, true)).toEqual([0, 0.5]);
    expect(linearRange(1, 2)).toEqual([0.94, 2.06]);
    expect(linearRange(1, 1)).toEqual([0.5, 1.5]);
    expect(linearRange(0, 0)).toEqual([-0.5, 0.5]);
  });

  it('keeps small values that truly differ', () => {
    expect(isOneValue(1e-8, 2e-8)).toBe(false);
    expect(isOneValue(1, 1 + 1e-15)).toBe(true);
  });

  it('is whole powers of ten where the axis is logarithmic', () => {
    expect(logRange(0.2, 30)).toEqual([0.1, 100]);
    expect(logRange(1, 1)).toEqual([1, 10]);
    for (const low of hostile)
      for (const high of hostile) if (low > 0 && high >= low) expectSane(logRange(low, high), [low, high]);
  });
});

it('a chart draws no number that is not finite', () => {
  const values = [1, Infinity, -Infinity, NaN, 1e308, -1e308, 2, 3, 4, 5, 6, 7, 8];
  const columns = new Columns(values.map((value, i) => metricsRow(i + 1, { rewardMean: value, rewardStd: value })));
  for (const smoothing of [0, 0.6]) {
    const { lines } = frame(more[0], columns, {
      smoothing,
      from: 1,
      to: 13,
      buckets: 64,
      ghost: [{ x: 1, y: Infinity }],
    });
    expect(lines.flat().filter((value) => value != null && !Number.isFinite(value))).toEqual([]);
  }
  const reward = more[0].series[0];
  expect(columns.facts(reward)).toMatchObject({ min: -1e308, max: 1e308, measured: 10 });
});

it('a small line draws nearly equal and huge values as it draws others', () => {
  const box = { width: 100, height: 24, healthy: [0, 1] as const };
  const at = (values: readonly number[]) => spark([...values.keys()], values, box);
  expect(at([1, 1 + 2e-16, 1])).toEqual(at([1, 1, 1]));
  for (const values of [[1e308, -1e308, 0], hostile]) {
    const { path, band } = at(values);
    expect(path).not.toMatch(/NaN|Infinity/);
    if (band) expect([band.y, band.height].every(Number.isFinite)).toBe(true);
  }
});
