/** Runs as lines through their settings: places of values, results, and the sentence. */
import { expect, test } from 'vitest';
import { configDiff } from '../../src/config/difference';
import { presetByName } from '../../src/config/presets';
import { metricsToChoose, type ComparedRun } from '../../src/presentation/compared-runs';
import { parallelOf } from '../../src/presentation/parallel';
import { metricsRow } from '../helpers/metrics-row';

const { config } = presetByName('calculator-mini');
const success = metricsToChoose.find(({ key }) => key === 'success')!;

function run(name: string, group: number, ratio: 'token' | 'sequence', end: number | null, seed = 1): ComparedRun {
  const algorithm = { ...config.algorithm, ratio } as typeof config.algorithm;
  return {
    id: name,
    name,
    config: { ...config, seed, rollout: { ...config.rollout, group }, algorithm },
    record: {
      metrics: end === null ? [] : [metricsRow(1, { success: 0.9 }), metricsRow(2, { success: end })],
      rollouts: [],
    },
    configChanges: [],
  };
}

const drawn = (runs: readonly ComparedRun[]) =>
  parallelOf(
    runs,
    configDiff(
      runs.map((each) => each.config),
      [],
    ),
    success,
  );

test('numbers ascend in even places, words stand in the order of the runs, and the end is the last value', () => {
  const runs = [run('a', 16, 'token', 0.5), run('b', 8, 'sequence', 0.25), run('c', 128, 'token', 0.75)];
  const { axes, lines, left } = drawn(runs)!;
  expect(axes.map(({ title, marks }) => [title, ...marks.map(({ label, at }) => `${label} ${at}`)])).toEqual([
    ['algorithm.ratio', 'token 0', 'sequence 1'],
    ['rollout.group', '8 0', '16 0.5', '128 1'],
    [success.name, '25\u00a0% 0', '75\u00a0% 1'],
  ]);
  expect(lines.map(({ id, points }) => [id, ...points])).toEqual([
    ['b', 1, 0, 0],
    ['a', 0, 0.5, 0.5],
    ['c', 0, 1, 1],
  ]);
  expect(left).toBe(0);
});

test('says in words which run ends best', () => {
  const { summary, lines } = drawn([run('a', 8, 'token', 0.5), run('b', 16, 'token', 0.75)])!;
  expect(lines[1].label).toBe(`b: rollout.group 16 → ${success.name} 75\u00a0%`);
  expect(summary).toBe(`2 runs from setting to setting. The greatest end is of ${lines[1].label}.`);
});

test('equal results lie in the middle of an axis with one mark', () => {
  const { axes, lines, summary } = drawn([run('a', 8, 'token', 0.5), run('b', 16, 'token', 0.5)])!;
  expect(summary).toBe('2 runs from setting to setting. All end at 50\u00a0%.');
  expect(axes[1].marks).toEqual([{ label: '50\u00a0%', at: 0.5 }]);
  expect(lines.map(({ points }) => points[1])).toEqual([0.5, 0.5]);
});

test('a run without a result has no line, and does not move the others', () => {
  const { axes, lines } = drawn([run('a', 8, 'token', 0.5), run('b', 99, 'token', null), run('c', 16, 'token', 0.6)])!;
  expect([axes[0].marks.length, lines.length]).toEqual([2, 2]);
});

test('there is nothing to draw of one result, or where nothing differs', () => {
  expect(drawn([run('a', 8, 'token', 0.5), run('b', 16, 'token', null)])).toBeNull();
  expect(drawn([run('a', 8, 'token', 0.5), run('b', 8, 'token', 0.6)])).toBeNull();
});

test('settings that do not fit are counted', () => {
  const differences = Array.from({ length: 8 }, (_, i) => ({ path: `${i}`, title: `${i}`, values: ['1', '2'] }));
  const { axes, left } = parallelOf([run('a', 8, 'token', 0.5), run('b', 16, 'token', 1)], differences, success)!;
  expect([axes.length, left]).toEqual([7, 2]);
});
