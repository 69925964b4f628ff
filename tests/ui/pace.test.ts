import { afterEach, expect, test, vi } from 'vitest';
import { Pace, lengthOf, ratioOf } from '../../src/ui/state/run/pace.svelte';
import { presetByName } from '../../src/config/presets';
import { formatAbout } from '../../src/lib/format';
import { metricsRow } from '../helpers/metrics-row';

const rows = (ms: readonly number[]) =>
  ms.map((each, i) => ({ ...metricsRow(i + 1), sampleMs: each, environmentMs: 0, trainMs: 0, evaluateMs: 0 }));

test('a run is compared with the iterations that the recording has, too', () => {
  expect(ratioOf(rows([30, 10, 20]), rows([10, 10, 10, 99]))).toBe(2);
  expect(ratioOf(rows([30, 10, 20, 5000]), rows([10, 10, 10]))).toBe(2);
});

test('too few iterations say nothing', () => {
  expect(ratioOf(rows([30, 10]), rows([10, 10, 10]))).toBeNull();
  expect(ratioOf([], rows([10, 10, 10]))).toBeNull();
});

afterEach(() => void vi.unstubAllGlobals());

/** Of a device that computes so many GFLOP/s on the CPU. */
async function paceOf(gflops: number): Promise<Pace> {
  const pace = new Pace();
  pace.measure('cpu', async () => gflops);
  await Promise.resolve();
  return pace;
}

test('before a run the CPU is judged by its speed, and of a GPU nothing is said', async () => {
  expect(new Pace().msHere(1000, 'cpu')).toBeNull();
  const pace = await paceOf(50);
  pace.measure('gpu', async () => 2000);
  await Promise.resolve();
  expect(pace.msHere(1000, 'cpu')).toBe(500);
  expect(pace.msHere(1000, 'gpu')).toBeNull();
  expect(pace.msHere(1000, null)).toBeNull();
});

test('a device that cannot be opened stays unknown', async () => {
  const pace = await paceOf(50);
  pace.measure('gpu', () => Promise.reject(new Error('no adapter')));
  await Promise.resolve();
  expect(pace.gflops).toEqual({ cpu: 50 });
});

test('the best of several measurements counts, also on the next visit', async () => {
  const kept = new Map<string, string>();
  const localStorage = { getItem: (key: string) => kept.get(key) ?? null, setItem: kept.set.bind(kept) };
  vi.stubGlobal('localStorage', localStorage);
  const measured = async (values: readonly (number | null)[]) => {
    const pace = new Pace();
    let at = 0;
    const ask = async () => values[at++] ?? null;
    pace.measure('cpu', ask, 0);
    pace.measure('cpu', ask, 0);
    await expect.poll(() => at).toBe(values.length);
    await Promise.resolve();
    return pace.gflops;
  };
  expect(await measured([7.1, 52, 19])).toEqual({ cpu: 52 });
  expect(await measured([8, null, 8]), 'a busy machine').toEqual({ cpu: 52 });
  expect(await measured([60, 8, 8])).toEqual({ cpu: 60 });
  kept.clear();
  expect(await measured([0.25, 0.5, 0]), 'a slow one').toEqual({ cpu: 0.5 });
});

test('after a run its own pace counts, for its own device', async () => {
  const pace = await paceOf(50);
  pace.learn('gpu', rows([5, 5, 5]), rows([10, 10, 10]));
  expect(pace.msHere(1000, 'gpu')).toBe(500);
  expect(pace.msHere(1000, 'cpu')).toBe(500);
  pace.learn('cpu', rows([40, 40, 40]), rows([10, 10, 10]));
  expect(pace.msHere(1000, 'cpu')).toBe(4000);
});

test.each([
  [400, '1 s'],
  [8_400, '8 s'],
  [43_000, '45 s'],
  [54_900, '55 s'],
  [58_000, '1 min'],
  [269_000, '4 min'],
  [5_400_000, '1.5 h'],
])('%i ms are about %s', (ms, words) => expect(formatAbout(ms)).toBe(words));

test.each([
  [1_000, 'seconds'],
  [6_000, 'seconds'],
  [43_000, 'minute'],
  [269_000, 'minutes'],
  [5_400_000, 'hours'],
] as const)('a run of %i ms takes %s', (ms, length) => expect(lengthOf(ms)).toBe(length));

test('a recording that took no time says nothing, one that took little does', () => {
  expect(ratioOf(rows([1, 1, 1]), rows([0, 0, 0]))).toBeNull();
  expect(ratioOf(rows([1, 1, 1]), rows([0.5, 0.25, 0.25]))).toBe(3);
});

test('a length is a class, each from a round number on', () => {
  const lengths = [19_999, 20_000, 59_999, 60_000, 3_599_999, 3_600_000].map(lengthOf);
  expect(lengths).toEqual(['seconds', 'minute', 'minute', 'minutes', 'minutes', 'hours']);
});

test('a run teaches the pace where it is shown beside a recorded run of the same settings', () => {
  vi.stubGlobal('localStorage', { getItem: () => null, setItem: () => undefined });
  const { config } = presetByName('calculator-mini');
  const metrics = rows([20, 20, 20]);
  const recorded = { config, metrics: rows([10, 10, 10]) };
  const learned = (run: object, shown: object, on: 'cpu' | null = 'cpu') => {
    const pace = new Pace();
    pace.learnFrom(
      { started: { config }, metrics, ...run } as never,
      { recorded, view: 'live', ...shown } as never,
      on,
    );
    return pace.msHere(1000, 'cpu');
  };
  expect(learned({}, {})).toBe(2000);
  expect(learned({ started: { config: { ...config, seed: 9 } } }, {})).toBe(2000);
  expect(learned({ started: { config: { ...config, iterations: 99 } } }, {})).toBeNull();
  expect(learned({ started: null }, {})).toBeNull();
  expect(learned({}, { recorded: undefined })).toBeNull();
  expect(learned({}, { view: 'recording' })).toBeNull();
  expect(learned({}, {}, null)).toBeNull();
});
