/** Runs over each other: common places, and bands over seeds. */
import { expect, test } from 'vitest';
import type { RunConfig } from '../../src/config/config';
import { configDiff } from '../../src/config/difference';
import { presetByName } from '../../src/config/presets';
import { spreadOut } from '../../src/ui/view/charts/plot';
import { Columns } from '../../src/presentation/charts/columns';
import { frame } from '../../src/presentation/charts/frame';
import { comparedChart, groupable, metricsToChoose, type ComparedRun } from '../../src/presentation/compared-runs';
import { metricsRow } from '../helpers/metrics-row';

const { config } = presetByName('calculator-mini');
const success = metricsToChoose.find(({ key }) => key === 'success')!;

function compared(name: string, changes: Partial<RunConfig>, successes: readonly (number | null)[]): ComparedRun {
  const metrics = successes.flatMap((value, i) =>
    value === null ? [] : metricsRow(i + 1, { success: value, sampledTokens: 100, trainMs: 500, sampleMs: 1500 }),
  );
  return { id: name, name, config: { ...config, ...changes }, record: { metrics, rollouts: [] }, configChanges: [] };
}

const drawn = (...args: Parameters<typeof comparedChart>) => {
  const { spec, rows } = comparedChart(...args);
  const columns = new Columns(rows);
  const { x, lines } = frame(spec, columns, { smoothing: 0, from: 0, to: 1e6, buckets: 500, ghost: [] });
  return { spec, x, lines };
};

test('each run is a line over the places of all', () => {
  const runs = [compared('a', { iterations: 3 }, [0.1, 0.2, 0.3]), compared('b', { iterations: 2 }, [0.5, 0.6])];
  const { spec, x, lines } = drawn(runs, success, 'step', 'seeds');
  expect(spec.series.map(({ label, colour, dash }) => [label, colour, dash])).toEqual([
    ['a', 'series-1', undefined],
    ['b', 'series-2', [6, 4]],
  ]);
  expect(x).toEqual([1, 2, 3]);
  expect([lines[3], lines[7]]).toEqual([
    [0.1, 0.2, 0.3],
    [0.5, 0.6, null],
  ]);
});

test('the axis is as in the chart of the metric', () => {
  const runs = [compared('a', {}, [0.1, 0.3])];
  const axisOf = (key: string) => {
    const { spec } = comparedChart(
      runs,
      metricsToChoose.find((metric) => metric.key === key)!,
      'step',
      'seeds',
    );
    return [spec.range, spec.fromZero ?? false];
  };
  expect(['success', 'entropy', 'reward'].map(axisOf)).toEqual([
    [[0, 1], false],
    [undefined, true],
    [undefined, false],
  ]);
});

test('over tokens and time a run is drawn where it was then', () => {
  const runs = [compared('a', {}, [0.1, null, 0.3])];
  expect(drawn(runs, success, 'tokens', 'runs').x).toEqual([100, 300]);
  const { x, spec } = drawn(runs, success, 'time', 'runs');
  expect(x).toEqual([2, 6]);
  expect(spec.axis?.at(6)).toBe('6 s');
});

test('where a run’s setup changed is half-way between two steps, over steps, tokens and time', () => {
  const runs = [
    { ...compared('a', {}, [0.1, 0.2, 0.3, 0.4]), configChanges: [1, 3] },
    { ...compared('b', { iterations: 9 }, [0.1, null, null, 0.4]), configChanges: [2] },
  ];
  const marks = (axis: 'step' | 'tokens' | 'time') => comparedChart(runs, success, axis, 'seeds').marks;
  expect(marks('step')).toEqual([1.5, 3.5, 2.5]);
  expect(marks('tokens')).toEqual([150, 350, 250]);
  expect(marks('time')).toEqual([3, 7, 5]);
  const ended = { ...runs[0], configChanges: [4] };
  expect(comparedChart([ended], success, 'step', 'seeds').marks, 'nothing is drawn after it').toEqual([]);
});

test('runs that differ in the seed only are their mean, in a band from the least to the greatest', () => {
  const runs = [compared('a', { seed: 1 }, [0.1, 0.3, 0.5]), compared('b', { seed: 2 }, [0.3, 0.7])];
  const { spec, x, lines } = drawn(runs, success, 'step', 'seeds');
  expect(spec.series.map(({ label }) => label)).toEqual(['a, 2 seeds']);
  expect(x).toEqual([1, 2]);
  expect(lines.slice(1, 4)).toEqual([
    [0.1, 0.3],
    [0.3, 0.7],
    [0.2, 0.5],
  ]);
  expect(drawn(runs, success, 'step', 'runs').spec.series).toHaveLength(2);
});

test('runs that are alike in a setting are one line, whatever else differs', () => {
  const rate = (learningRate: number) => ({ optimizer: { ...config.optimizer, learningRate } });
  const runs = [
    compared('a', rate(0.001), [0.1, 0.3]),
    compared('b', { ...rate(0.002), iterations: 9 }, [0.5, 0.5]),
    compared('c', { ...rate(0.001), seed: 2, iterations: 9 }, [0.3, 0.7]),
  ];
  const differences = configDiff(
    runs.map(({ config }) => config),
    [],
  );
  const settings = groupable(differences);
  expect(differences.some(({ path }) => path === 'seed')).toBe(true);
  expect(settings.map(({ path }) => path).toSorted()).toEqual(['iterations', 'optimizer.learningRate']);
  const byRate = settings.find(({ path }) => path === 'optimizer.learningRate')!;
  const { spec, lines } = drawn(runs, success, 'step', byRate);
  expect(spec.series.map(({ label }) => label)).toEqual(['0.001, 2 runs', '0.002, 1 run']);
  expect(lines.slice(1, 4)).toEqual([
    [0.1, 0.3],
    [0.3, 0.7],
    [0.2, 0.5],
  ]);
  expect(spec.series[1].band, 'one run has no range').toBeUndefined();
});

test('more runs than a chart has lines are always drawn as bands', () => {
  const runs = Array.from({ length: 7 }, (_, seed) => compared(`${seed}`, { seed }, [0.1 * seed]));
  expect(drawn(runs, success, 'step', 'runs').spec.series.map(({ label }) => label)).toEqual(['0, 7 seeds']);
});

test('labels at the ends of lines do not lie on each other, nor below the plot', () => {
  expect(spreadOut([10, 12, 60], 14, 100)).toEqual([10, 24, 60]);
  expect(spreadOut([80, 90, 95], 14, 100)).toEqual([72, 86, 100]);
});
