/** The list of runs: names, search, what is chosen, deletion and its undo. */
import { expect, test } from 'vitest';
import { nameOf, nameOfId } from '../../src/lib/run-names';
import { rowLineOf } from '../../src/presentation/compared-runs';
import { foundRuns, sortedRuns } from '../../src/presentation/run-list';
import { Runs, type RunsApi } from '../../src/ui/state/library/runs.svelte';
import type { KeptRun, RunLabel } from '../../src/run/store/saved-run';
import type { RunConfig } from '../../src/config/config';

const run = (id: string, more: Partial<KeptRun> = {}): KeptRun => ({
  id,
  title: 'Calculator',
  savedAtMs: 1,
  iteration: 4,
  warmSteps: 0,
  finished: true,
  name: '',
  note: '',
  config: { seed: 1, iterations: 4, algorithm: { name: 'grpo' } } as RunConfig,
  deleted: false,
  curve: [],
  validation: null,
  resumable: false,
  here: false,
  ...more,
});

/** A trainer that keeps these runs. */
function keeperOf(...all: KeptRun[]): RunsApi & { readonly labels: Map<string, Partial<RunLabel>> } {
  const labels = new Map<string, Partial<RunLabel>>();
  return {
    labels,
    runs: async () => all.map((each) => ({ ...each, ...labels.get(each.id) })).filter(({ deleted }) => !deleted),
    runRecord: async () => ({ metrics: [], rollouts: [] }),
    labelRun: async (id, label) => void labels.set(id, { ...labels.get(id), ...label }),
  };
}

test('a name is two words, the same for the same id, and most ids have names of their own', () => {
  expect(nameOfId('a run')).toBe(nameOfId('a run'));
  expect(nameOfId('a run')).toMatch(/^[a-z]+ [a-z]+$/);
  const names = Array.from({ length: 100 }, (_, i) => nameOfId(`run ${i}`));
  expect(new Set(names).size).toBeGreaterThan(95);
  expect(nameOf(run('a', { name: 'High rate' }))).toBe('High rate');
});

test('a search finds names, notes, worlds, presets and algorithms, all words of it', () => {
  const runs = [
    run('a', { note: 'KL was too small' }),
    run('b', { name: 'The Long One' }),
    run('c', { title: 'Shop', config: { seed: 2, algorithm: { name: 'rloo' } } as RunConfig }),
  ];
  const ids = (query: string) =>
    foundRuns(runs, query, ({ title }) => (title === 'Shop' ? ['Shopping'] : ['Group Relative'])).map(({ id }) => id);
  expect(ids('')).toEqual(['a', 'b', 'c']);
  expect(ids('kl small')).toEqual(['a']);
  expect(ids('LONG')).toEqual(['b']);
  expect(ids('rloo')).toEqual(['c']);
  expect(ids('shopping')).toEqual(['c']);
  expect(ids('calculator grpo')).toEqual(['a', 'b']);
  expect(ids('long rloo')).toEqual([]);
  expect(ids('group relative')).toEqual(['a', 'b']);
});

test('line and number of a row are of one measure', () => {
  const curve = [0.2, 0.9, 0.4];
  expect(rowLineOf(run('a', { curve }))).toEqual({
    measure: 'practice',
    result: 0.4,
    points: [0.2, 0.9, 0.4].map((y, i) => ({ x: i / 2, y })),
  });
  const unseen = [1, 3, 5].map((iteration) => ({ iteration, success: iteration / 10 }));
  expect(rowLineOf(run('b', { curve, iteration: 5, validation: 0.5, unseen }))).toEqual({
    measure: 'unseen',
    result: 0.5,
    points: [0, 0.5, 1].map((x, i) => ({ x, y: [0.1, 0.3, 0.5][i] })),
  });
  const earlier = rowLineOf(run('c', { curve, validation: 0.5 }));
  expect(earlier, 'no line of another measure').toEqual({ measure: 'unseen', result: 0.5, points: [] });
  expect(rowLineOf(run('d'))).toEqual({ measure: 'practice', result: undefined, points: [] });
});

test('at most six lines are chosen, and a deleted run is chosen no more', async () => {
  const runs = new Runs(
    () => keeper,
    () => [],
  );
  const ofSteps = (id: string, i: number) => run(id, { config: { seed: 1, iterations: i } as RunConfig });
  const keeper = keeperOf(...'abcdefgh'.split('').map(ofSteps));
  await runs.refresh();
  for (const { id } of runs.list!) await runs.choose(id, true);
  expect(runs.compared.map(({ id }) => id).join('')).toBe('abcdef');
  await runs.delete(runs.list![0]);
  expect(runs.compared.map(({ id }) => id).join('')).toBe('bcdef');
  expect([runs.list!.length, runs.deleted?.id]).toEqual([7, 'a']);
  await runs.bringBack();
  expect([runs.list!.length, runs.deleted]).toEqual([8, null]);
});

test('seeds share a line, so more of them fit; what does not fit is counted', async () => {
  const runs = new Runs(
    () => keeper,
    () => [],
  );
  const ofSeed = (iterations: number) => (_: unknown, seed: number) =>
    run(`${iterations} ${seed}`, { config: { seed, iterations } as RunConfig });
  const seeds = Array.from({ length: 10 }, ofSeed(1));
  const sweep = Array.from({ length: 7 }, (_, i) => ofSeed(i + 2)(_, 0));
  const keeper = keeperOf(...seeds, ...sweep);
  await runs.choose('2 0', true);
  await runs.chooseOnly([...seeds, ...sweep, run('gone')].map(({ id }) => id));
  expect([runs.compared.length, runs.left]).toEqual([15, 2]);
  expect([runs.fits('8 0'), runs.fits('1 0')]).toEqual([false, true]);
  await runs.choose('6 0', false);
  expect([runs.fits('8 0'), runs.left]).toEqual([true, 0]);
});

test('what the trainer refuses is a sentence', async () => {
  const refusing = { ...keeperOf(run('a')), labelRun: () => Promise.reject(new Error('There is no space.')) };
  const runs = new Runs(
    () => refusing,
    () => [],
  );
  await runs.refresh();
  await runs.label(runs.list![0], { name: 'new' });
  expect(runs.problem).toBe('There is no space.');
  await runs.delete(runs.list![0]);
  expect(runs.deleted, 'it is still there').toBeNull();
});

test('runs are ordered by success, world and name, and stay as they are among equals', () => {
  const runs = [
    run('a', { name: 'beta', title: 'Shop', validation: 0.5 }),
    run('b', { name: 'alpha', title: 'Papers', curve: [0.2, 0.9] }),
    run('c', { name: 'gamma', title: 'Shop' }),
    run('d', { name: 'delta', title: 'Papers', validation: 0.5 }),
  ];
  const ids = (order: Parameters<typeof sortedRuns>[1]) =>
    sortedRuns(runs, order)
      .map(({ id }) => id)
      .join('');
  expect(ids('latest')).toBe('abcd');
  expect(ids('best')).toBe('badc');
  expect(ids('world')).toBe('bdac');
  expect(ids('name')).toBe('badc');
  expect(runs[0].id, 'the list itself is not touched').toBe('a');
});

test('the list shows what was searched for in the order that was chosen', async () => {
  const runs = new Runs(
    () => keeperOf(run('a', { note: 'x', validation: 0.1 }), run('b'), run('c', { note: 'x', validation: 0.7 })),
    () => [],
  );
  await runs.refresh();
  runs.query = 'x';
  expect(runs.found.map(({ id }) => id)).toEqual(['a', 'c']);
  runs.order = 'best';
  expect(runs.found.map(({ id }) => id)).toEqual(['c', 'a']);
});

test('before the list has come nothing is found, chosen or compared', () => {
  const runs = new Runs(
    () => null,
    () => [],
  );
  expect([runs.list, runs.found, runs.compared, runs.fits('a')]).toEqual([null, [], [], false]);
});

test('the record of a run is read once, and again when the run has gone on', async () => {
  let savedAtMs = 1;
  const asked: string[] = [];
  const keeper = keeperOf(run('a'));
  const runs = new Runs(
    () => ({
      ...keeper,
      runs: async () => [{ ...(await keeper.runs())[0], savedAtMs }],
      runRecord: async (id: string) => {
        asked.push(id);
        return keeper.runRecord(id);
      },
    }),
    () => [],
  );
  await runs.chooseOnly(['a']);
  await runs.refresh();
  expect(asked).toEqual(['a']);
  savedAtMs = 2;
  await runs.refresh();
  expect([asked, runs.compared.length]).toEqual([['a', 'a'], 1]);
});
