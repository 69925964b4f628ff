/** Smoothing and decimation of columns: exact small cases, and the promises they make for every input. */
import { describe, expect, it } from 'vitest';
import { decimate, lowerBound, MovingAverage, nearest } from '../../src/lib/series';

const wave = (length: number): number[] => Array.from({ length }, (_, i) => Math.sin(i / 7) + ((i * 7919) % 13) / 13);

describe('the moving average', () => {
  const smooth = (column: readonly number[], smoothing: number) => new MovingAverage(smoothing).of(column);

  it('is debiased', () => {
    const column = [1, 0, 0, 0, 0, 0, 0, 0, 0, 4];
    const out = smooth(column, 0.5);
    // m₁ = 0.5, shown 0.5 / (1 − 0.5) = 1; m₂ = 0.25, shown 0.25 / 0.75; m₁₀ = 0.5 · 0.5⁹ + 2, shown / (1 − 0.5¹⁰).
    expect(out[0]).toBe(1);
    expect(out[1]).toBeCloseTo(1 / 3, 14);
    expect(out[9]).toBeCloseTo((0.5 ** 10 + 2) / (1 - 0.5 ** 10), 14);
  });

  it('keeps a constant column constant from its first point', () => {
    for (const value of smooth(new Array(40).fill(0.7), 0.99)) expect(value).toBeCloseTo(0.7, 12);
  });

  it('passes over what was not measured and leaves it so', () => {
    const dense = wave(20);
    const sparse = dense.flatMap((value) => [value, NaN]);
    const out = smooth(sparse, 0.6);
    expect(out.filter((_, i) => i % 2 === 0)).toEqual(smooth(dense, 0.6));
    expect(out.filter((_, i) => i % 2 === 1).every(Number.isNaN)).toBe(true);
  });

  it('of a column that grows is that of the whole column, which it does not change', () => {
    const column = wave(30);
    const average = new MovingAverage(0.9);
    average.of(column.slice(0, 12));
    expect(average.of(column)).toEqual(smooth(column, 0.9));
    expect(column).toEqual(wave(30));
  });
});

describe('decimate', () => {
  it('keeps every row of a short column', () => {
    expect(decimate([wave(12)], 3, 9, 100)).toEqual([3, 4, 5, 6, 7, 8]);
    expect(decimate([wave(12)], 5, 5, 100)).toEqual([]);
  });

  it('keeps the extremes of every column and both ends, in order, within its bound', () => {
    const a = wave(10_000);
    const b = wave(10_000).map((value, i) => (i === 4321 ? 50 : value));
    a[7777] = -50;
    a[5] = NaN;
    const rows = decimate([a, b], 0, 10_000, 300);
    expect(rows[0]).toBe(0);
    expect(rows[rows.length - 1]).toBe(9999);
    expect(rows).toContain(7777);
    expect(rows).toContain(4321);
    expect(rows.length).toBeLessThanOrEqual(300 * 4 + 2);
    expect(rows.every((row, i) => i === 0 || row > rows[i - 1])).toBe(true);
  });

  it('keeps the least and the greatest of each bucket, whose place does not depend on the range', () => {
    const column = wave(5_000);
    for (const [from, to] of [
      [0, 5_000],
      [300, 4_900],
    ]) {
      const rows = new Set(decimate([column], from, to, 50));
      for (let start = 384; start + 128 <= 4_900; start += 128) {
        const part = column.slice(start, start + 128);
        expect(rows.has(start + part.indexOf(Math.max(...part)))).toBe(true);
        expect(rows.has(start + part.indexOf(Math.min(...part)))).toBe(true);
      }
    }
  });

  it('of a column that has grown gives what it gives of a new one', () => {
    const column = wave(3_000);
    decimate([column], 0, 3_000, 50);
    column.push(...wave(7_000).slice(3_000, 3_130), -60);
    expect(decimate([column], 0, 3_131, 50)).toEqual(decimate([[...column]], 0, 3_131, 50));
    expect(decimate([column], 10, 3_131, 50)).toContain(3_130);
  });
});

describe('nearest', () => {
  it('finds the closest value, the lower one at equal distance', () => {
    expect(nearest([], 3)).toBeNull();
    expect(nearest([2, 4, 9], -5)).toBe(2);
    expect(nearest([2, 4, 9], 3)).toBe(2);
    expect(nearest([2, 4, 9], 7)).toBe(9);
    expect(nearest([2, 4, 9], 99)).toBe(9);
    expect(lowerBound([2, 4, 9], 5)).toBe(2);
  });
});
