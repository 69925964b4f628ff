/** Columns of a chart are read once: a later snapshot reads what is new, and all of it where rows were replaced. */
import { describe, expect, test, vi } from 'vitest';
import { Columns } from '../../src/presentation/charts/columns';
import { kindsSpec, success, type SeriesSpec } from '../../src/presentation/charts/specs';
import { metricsRow } from '../helpers/metrics-row';

const rows = Array.from({ length: 8 }, (_, i) => metricsRow(i + 1, { entropy: 1 / (i + 1) }));
const others = rows.map((row) => ({ ...row, entropy: 5 }));
/** A series of its own, which counts how often a row is read. */
function counted(): { series: SeriesSpec; read: ReturnType<typeof vi.fn> } {
  const read = vi.fn((row: { entropy: number }) => row.entropy);
  return { series: { ...success.series[0], value: read } as unknown as SeriesSpec, read };
}

test('a snapshot with more rows reads the new ones only', () => {
  const { series, read } = counted();
  const before = new Columns(rows.slice(0, 5));
  before.values(series);
  const after = new Columns(rows, before);
  expect(after.values(series)).toEqual(rows.map(({ entropy }) => entropy));
  expect(after.iterations).toEqual([1, 2, 3, 4, 5, 6, 7, 8]);
  expect(read).toHaveBeenCalledTimes(8);
});

test.each([
  ['a run that was rolled back', [...rows.slice(0, 3), ...others.slice(3)]],
  ['another run, whose last row is the same', [...others.slice(0, 4), ...rows.slice(4)]],
  ['rows that were thinned', [rows[0], rows[2], rows[4], rows[6], rows[7]]],
  ['fewer rows', rows.slice(0, 3)],
  ['no rows', []],
])('of %s all is read again', (_, next) => {
  const { series } = counted();
  const before = new Columns(rows.slice(0, 5));
  before.values(series);
  const after = new Columns(next, before);
  expect(after.values(series)).toEqual(next.map(({ entropy }) => entropy));
  expect(after.iterations).toEqual(next.map(({ iteration }) => iteration));
});

describe('the chart of kinds', () => {
  const tagged = (validationByTag?: Record<string, number>) =>
    metricsRow(1, { validationSuccess: 0.5, validationByTag });

  test('is of the kinds that the first validation names, and of nothing where it names none', () => {
    const [before] = rows.map((row) => ({ ...row, validationSuccess: null, validationByTag: undefined }));
    expect(kindsSpec([])).toBeNull();
    expect(kindsSpec([before])).toBeNull();
    expect(kindsSpec([tagged(), tagged({ late: 1 })])).toBeNull();
    const spec = kindsSpec([before, tagged({ easy: 1, hard: 0 })])!;
    expect(spec.series.map(({ label }) => label)).toEqual(['easy', 'hard']);
    expect(spec.series.map(({ value }) => value(tagged({ easy: 0.75 })))).toEqual([0.75, null]);
  });
});
