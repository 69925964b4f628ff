/** Charts in words and numbers: sentences, tables, readings, export, frames, ranges. */
import { describe, expect, it } from 'vitest';
import { Columns } from '../../src/presentation/charts/columns';
import { minSmoothedPoints, MovingAverage } from '../../src/lib/series';
import { format, formatTick } from '../../src/presentation/charts/units';
import { frame, hasOneValue, seriesParts } from '../../src/presentation/charts/frame';
import { more, success } from '../../src/presentation/charts/specs';
import {
  logObstacle,
  maxTableRows,
  readings,
  spokenWords,
  summarise,
  table,
} from '../../src/presentation/charts/summary';
import { clampView, minViewWidth, pan, zoom } from '../../src/presentation/charts/view';
import type { Metrics } from '../../src/rl/report';
import { metricsRow } from '../helpers/metrics-row';

const [reward, entropy] = more;
const toolCalls = more.find((spec) => spec.name === 'Tool calls')!;

const run = (length: number) =>
  Array.from({ length }, (_, i) =>
    metricsRow(i + 1, {
      success: i / length,
      validationSuccess: i % 5 === 0 || i === length - 1 ? 0.48 + (0.45 * i) / (length - 1) : null,
      entropy: 1 - i / length,
    }),
  );

it('the values at the crosshair are read aloud with their place, those of the end as the latest', () => {
  const rows = [0.5, 1.5].map((value, i) => metricsRow(i + 1, { entropy: value }));
  const columns = new Columns(rows);
  expect(spokenWords(entropy, columns, null)).toBe('latest: mean per token 1.5');
  expect(spokenWords(entropy, columns, 1)).toBe('iteration 1: mean per token 0.5');
  expect(spokenWords(success, columns, 9)).toContain('iteration 2: unseen tasks –, practice 0\u00a0%');
  expect(spokenWords(entropy, new Columns([]), 1)).toBe('no data yet');
});

describe('summarise', () => {
  it('says where a curve began, where it ended and over how many iterations', () => {
    expect(summarise(success, new Columns(run(60)))).toBe(
      'Success (unseen tasks) rose from 48\u00a0% to 93\u00a0% by iteration 60.',
    );
    expect(summarise(entropy, new Columns(run(50)))).toBe('Entropy fell from 1 to 0.02 by iteration 50.');
  });

  it('says what the other run did while there is nothing else', () => {
    const points = [1, 4, 12].map((x) => ({ x, y: x === 12 ? 0.84 : 0.34 }));
    expect(summarise(success, new Columns([]), { name: 'author’s run', points })).toBe(
      'Author’s run: 34\u00a0% → 84\u00a0% in 12 iterations.',
    );
    expect(summarise(success, new Columns([]), { name: 'author’s run', points: points.slice(0, 1) })).toBe(
      'Author’s run: 34\u00a0% after 1 iteration.',
    );
    expect(summarise(success, new Columns([]))).toBe('Success has no data yet.');
  });

  it('falls back to success in practice where validation ran once', () => {
    const rows = [metricsRow(1, { success: 0.25 }), metricsRow(2, { success: 0.5 })];
    expect(summarise(success, new Columns(rows))).toBe(
      'Success (practice) rose from 25\u00a0% to 50\u00a0% by iteration 2.',
    );
  });

  it('does not hide a curve that came back to where it began', () => {
    const rows = [0.5, 1.5, 0.5].map((value, i) => metricsRow(i + 1, { entropy: value }));
    expect(summarise(entropy, new Columns(rows))).toBe(
      'Entropy began at 0.5 and is 0.5 at iteration 3, between 0.5 and 1.5.',
    );
  });

  it('does not count the state before training as an iteration', () => {
    expect(summarise(entropy, new Columns([metricsRow(0, { entropy: 1 }), metricsRow(1, { entropy: 2 })]))).toContain(
      'by iteration 1.',
    );
  });

  it('has a sentence for one point and for none, starting with the metric', () => {
    expect(summarise(entropy, new Columns([metricsRow(1, { entropy: 0.5 })]))).toBe('Entropy is 0.5 at iteration 1.');
    const toolCalls = more.find(({ name }) => name === 'Tool calls')!;
    expect(summarise(toolCalls, new Columns([metricsRow(1)]))).toBe(
      'No tool was called so far. Some tasks have no tools.',
    );
    for (const spec of [success, ...more])
      expect(summarise(spec, new Columns([]))).toBe(`${spec.name} has no data yet.`);
  });
});

describe('table', () => {
  it('has at most 25 rows with the first and the last iteration', () => {
    const rows = table(entropy, new Columns(run(1000)));
    expect(rows).toHaveLength(maxTableRows);
    expect(rows[0].iteration).toBe(1);
    expect(rows[24].iteration).toBe(1000);
    expect(new Set(rows.map((row) => row.iteration)).size).toBe(25);
  });

  it('prefers iterations that validated, and shows spreads', () => {
    for (const row of table(success, new Columns(run(100)))) expect(row.cells[0]).not.toBe('–');
    expect(table(reward, new Columns([metricsRow(1, { rewardMean: 0.5, rewardStd: 0.25 })]))[0].cells).toEqual([
      '0.5 ± 0.25',
    ]);
  });
});

describe('readings', () => {
  it('reads at the cursor, or the last measured value before it', () => {
    const columns = new Columns(run(20));
    expect(readings(entropy, columns, 11)[0].text).toBe('0.5');
    expect(readings(success, columns, 13)[0].text).toBe(readings(success, columns, 11)[0].text);
    expect(readings(entropy, columns, null)[0].text).toBe(readings(entropy, columns, 20)[0].text);
    expect(readings(success, new Columns([]), 3).map((reading) => reading.text)).toEqual(['–', '–']);
  });
});

describe('columns', () => {
  it('append what is new, and start again with another run', () => {
    const rows = run(30);
    const { value } = entropy.series[0];
    let reads = 0;
    const counted = {
      ...entropy.series[0],
      value: (row: Metrics) => {
        reads++;
        return value(row);
      },
    };
    const first = new Columns(rows.slice(0, 10));
    expect(first.values(counted)).toHaveLength(10);
    const longer = new Columns(rows, first);
    expect(longer.values(counted)).toEqual(rows.map((row) => row.entropy));
    expect(reads).toBe(30);
    const another = new Columns([metricsRow(1, { entropy: 9 })], longer);
    expect(another.values(counted)).toEqual([9]);
    expect(another.iterations).toEqual([1]);
    const none = new Columns([], another);
    expect(none.length).toBe(0);
    expect(none.values(counted)).toEqual([]);
  });

  it('are smoothed from ten measured points on, as they grow and whatever the smoothing was before', () => {
    const rows = run(30);
    const [series] = entropy.series;
    const measured = rows.map((row) => row.entropy);
    const few = new Columns(rows.slice(0, minSmoothedPoints - 1));
    expect(few.values(series, 0.9)).toEqual(measured.slice(0, minSmoothedPoints - 1));
    const more = new Columns(rows, few);
    expect(more.values(series, 0.5)).toEqual(new MovingAverage(0.5).of(measured));
    expect(more.values(series, 0.9)).toEqual(new MovingAverage(0.9).of(measured));
    expect(more.values(series)).toEqual(measured);
  });
});

describe('log axis', () => {
  it('is refused with a reason where it would lie', () => {
    expect(logObstacle(success, new Columns(run(5)))).toContain('fixed at 0 – 100 %');
    expect(logObstacle(entropy, new Columns([metricsRow(1, { entropy: 0 })]))).toContain('zero or negative');
    expect(logObstacle(entropy, new Columns([metricsRow(1, { entropy: 0.1 })]))).toBeNull();
  });
});

describe('frame', () => {
  const options = { smoothing: 0.6, from: 1, to: 30, buckets: 500, ghost: [] };
  const part = (name: (typeof seriesParts)[number], series = 0): number =>
    series * seriesParts.length + seriesParts.indexOf(name);

  it('draws the raw line behind the smoothed one, and never smooths validation', () => {
    const rows = run(30);
    const { x, lines } = frame(success, new Columns(rows), options);
    expect(x).toEqual(rows.map((row) => row.iteration));
    expect(lines[part('line')]).toEqual(rows.map((row) => row.validationSuccess));
    expect(lines[part('raw', 1)]).toEqual(rows.map((row) => row.success));
    expect(lines[part('line', 1)]).not.toEqual(rows.map((row) => row.success));
  });

  it('merges the author’s points in between without touching the run', () => {
    const ghost = [1, 3.5, 6].map((x, i) => ({ x, y: [0.1, 0.5, 0.9][i] }));
    const { x, lines } = frame(success, new Columns(run(3)), { ...options, smoothing: 0, ghost });
    expect(x).toEqual([1, 2, 3, 3.5, 6]);
    expect(lines[lines.length - 1]).toEqual([0.1, undefined, undefined, 0.5, 0.9]);
    expect(lines[part('line', 1)].slice(3)).toEqual([undefined, undefined]);
  });

  it('leaves a gap where a tool was never called', () => {
    const rows = [0.5, null, 0.7].map((value, i) => metricsRow(i + 1, { toolCallSuccess: value }));
    expect(frame(toolCalls, new Columns(rows), options).lines[part('line')]).toEqual([0.5, null, 0.7]);
  });

  it('knows a lone value, which no line can show', () => {
    expect(hasOneValue(frame(entropy, new Columns(run(1)), options).lines[part('line')])).toBe(true);
    expect(hasOneValue(frame(entropy, new Columns(run(2)), options).lines[part('line')])).toBe(false);
    expect(hasOneValue(frame(success, new Columns(run(1)), options).lines[part('raw')])).toBe(false);
    expect(hasOneValue([null, undefined, 0.5, null])).toBe(true);
  });

  it('takes one point beyond each edge of a zoomed view', () => {
    expect(frame(entropy, new Columns(run(30)), { ...options, from: 10.5, to: 14.5 }).x).toEqual([
      10, 11, 12, 13, 14, 15,
    ]);
  });
});

describe('view', () => {
  const whole = { from: 1, to: 101 };
  it('zooms around a place, never past the run, never too far', () => {
    expect(zoom(whole, whole, 0.5, 51)).toEqual({ from: 26, to: 76 });
    expect(zoom({ from: 26, to: 76 }, whole, 2, 51)).toBeNull();
    const narrow = clampView({ from: 50, to: 50.1 }, whole)!;
    expect(narrow.to - narrow.from).toBeCloseTo(minViewWidth, 12);
    expect(pan({ from: 1, to: 51 }, whole, -0.5)).toEqual({ from: 1, to: 51 });
    expect(pan({ from: 51, to: 101 }, whole, 0.5)).toEqual({ from: 51, to: 101 });
  });
});

describe('format', () => {
  it('reads like a person would write it', () => {
    expect([0, 0.003, 0.48, 1].map((value) => format(value, 'share'))).toEqual([
      '0\u00a0%',
      '0.3\u00a0%',
      '48\u00a0%',
      '100\u00a0%',
    ]);
    expect([-0, -1e-5, -0.0004].map((value) => format(value, 'share'))).toEqual(['0\u00a0%', '0\u00a0%', '0\u00a0%']);
    expect([format(-0, 'number'), formatTick(-0, 'number'), formatTick(-1e-9, 'share')]).toEqual(['0', '0', '0 %']);
    expect(format(12_345, 'rate')).toBe('12.3K/s');
    expect([format(350.4, 'ms'), format(1234, 'ms')]).toEqual(['350 ms', '1.23 s']);
    expect([format(999, 'ms'), format(1000, 'ms')]).toEqual(['999 ms', '1 s']);
    expect([format(0.0994, 'share'), format(0.1, 'share'), format(0.0999, 'share')]).toEqual([
      '9.9\u00a0%',
      '10\u00a0%',
      '10\u00a0%',
    ]);
    expect([format(0.001, 'number'), format(0.0009, 'number'), format(0, 'number')]).toEqual(['0.001', '9.0e-4', '0']);
    expect([format(1.234, 'number'), format(0.1234, 'number'), format(null, 'number')]).toEqual(['1.23', '0.12', '–']);
    expect([formatTick(1e-3, 'number'), formatTick(9e-4, 'number')]).toEqual(['0.001', '9e-4']);
    expect([formatTick(9999, 'number'), formatTick(10_000, 'number')]).toEqual(['10,000', '10K']);
    expect([format(0.00002, 'number'), format(NaN, 'number'), format(null, 'share')]).toEqual(['2.0e-5', '–', '–']);
  });
});
