/**
 * What the browser keeps of runs, in its real IndexedDB: generations, checkpoints, damage, limits of space and number,
 * and data cleared under it.
 */
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { build } from 'vite';
import { beforeAll, expect, inject, test } from 'vitest';
import type { SavedRun } from '../../src/run/store/saved-run';
import { openPage } from '../helpers/browser';
import { clearSiteData } from '../helpers/faults';
import { untilReady } from '../helpers/lab';

let code: string;

beforeAll(async () => {
  const entry = join(import.meta.dirname, '../helpers/saved-runs-entry.ts');
  const built = await build({
    configFile: false,
    logLevel: 'error',
    build: { write: false, minify: false, lib: { entry, formats: ['iife'], name: 'kept', fileName: 'kept' } },
  });
  const [output] = Array.isArray(built) ? built : [built];
  if (!('output' in output)) throw new Error('the build is being watched');
  code = output.output[0].code;
});

/** Bytes that no storage can compress. */
const chance = `
globalThis.bytes = (count, first) => {
  const all = new Uint8Array(count);
  for (let i = 0; i < count; i += 65536) crypto.getRandomValues(all.subarray(i, i + 65536));
  all[0] = first;
  return all;
}`;

/** Unlike that of helpers/faults.ts this one works before the page is there. */
async function limitStorage(page: Page, quotaBytes: number | null): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const { origin } = new URL(inject('siteUrl'));
  await session.send('Storage.overrideQuotaForOrigin', {
    origin,
    ...(quotaBytes !== null && { quotaSize: quotaBytes }),
  });
}

/**
 * @param quotaBytes what the origin may store, from before it stores anything: the browser remembers for a while what
 * was left
 */
async function open(quotaBytes: number | null = null): Promise<Page> {
  const page = await openPage({ before: (empty) => limitStorage(empty, quotaBytes) });
  await untilReady(page);
  await page.evaluate(code + chance);
  return page;
}

/** Saves a state of a run whose checkpoint is so many bytes, the first of this value. */
function save(
  page: Page,
  id: string,
  value: number,
  options: { sizeBytes?: number; finished?: boolean } = {},
): Promise<string> {
  const { sizeBytes = 1000, finished = false } = options;
  const run = {
    id,
    config: { environment: {} },
    title: 'Test',
    savedAtMs: value,
    iteration: value,
    warmSteps: 0,
    finished,
  };
  return call(
    page,
    `save(${JSON.stringify(run)}, {
    checkpoint: bytes(${sizeBytes}, ${value}), history: { metrics: [], rollouts: [], warmLosses: [], curve: \
[${value}] } })`,
  );
}

/** The value of the state that is loaded; or the sentence. */
const load = (page: Page, id: string): Promise<string> =>
  call(page, `load('${id}').then(({ checkpoint }) => String(checkpoint[0]))`);

const list = async (page: Page): Promise<SavedRun[]> =>
  JSON.parse(await call(page, `list().then(JSON.stringify)`)) as SavedRun[];

/** A method of SavedRuns in the page. @returns its result, or the name and message of its error */
const call = (page: Page, expression: string): Promise<string> =>
  page.evaluate(
    `kept.saved.${expression}.then((value) => value ?? 'done', (error) => error.name + ': ' + error.message)`,
  );

/** Changes one byte of the newest state of a run, and nothing else. */
const damage = (page: Page, id: string, slot: number): Promise<unknown> =>
  page.evaluate(`kept.store('readwrite', (entries) => new Promise((resolve) => {
    const request = entries.get('state ${id} ${slot}');
    request.onsuccess = () => {
      request.result.checkpoint[17] ^= 1;
      entries.put(request.result, 'state ${id} ${slot}');
      entries.transaction.oncomplete = () => resolve('damaged');
      entries.transaction.onabort = () => resolve('not damaged: ' + entries.transaction.error);
    };
  }))`);

test('a run has two generations; the older one is there when the newest is damaged', async () => {
  const page = await open();
  for (const value of [1, 2, 3]) expect(await save(page, 'a', value)).toBe('done');
  expect(await load(page, 'a')).toBe('3');
  expect((await list(page)).map(({ id, iteration }) => [id, iteration])).toEqual([['a', 3]]);
  expect(await damage(page, 'a', 1)).toBe('damaged');
  expect(await load(page, 'a')).toBe('2');
  expect(await damage(page, 'a', 0)).toBe('damaged');
  expect(await load(page, 'a')).toContain('not there any more, or cannot be read');
  expect(await save(page, 'a', 4)).toBe('done');
  expect(await load(page, 'a')).toBe('4');
  expect(await call(page, `delete('a')`)).toBe('done');
  expect(await list(page)).toEqual([]);
});

test('of more than four runs the oldest finished ones go first, and never the one that is being saved', async () => {
  const page = await open();
  await save(page, 'finished late', 4, { finished: true });
  await save(page, 'finished early', 2, { finished: true });
  await save(page, 'unfinished', 1);
  await save(page, 'another', 3);
  await save(page, 'now', 0);
  expect((await list(page)).map(({ id }) => id)).toEqual(['finished late', 'another', 'unfinished', 'now']);
  await save(page, 'more', 5);
  expect((await list(page)).map(({ id }) => id)).toEqual(['more', 'another', 'unfinished', 'now']);
  await save(page, 'most', 6);
  expect((await list(page)).map(({ id }) => id)).toEqual(['most', 'more', 'another', 'unfinished']);
});

test('without space the older generation goes, then the browser’s error is shown; the newest stays', async () => {
  const page = await open(2 * 2 ** 20);
  const small = { sizeBytes: 200_000 };
  const large = { sizeBytes: 3_000_000 };
  for (const value of [1, 2]) expect(await save(page, 'a', value, small)).toBe('done');
  expect(await save(page, 'a', 3, large)).toContain('QuotaExceededError');
  expect(await load(page, 'a')).toBe('2');
  await limitStorage(page, null);
  expect(await damage(page, 'a', 0)).toBe('damaged');
  expect(await load(page, 'a'), 'there is no older one').toContain('cannot be read');
  expect(await save(page, 'a', 4, large)).toBe('done');
  expect(await load(page, 'a')).toBe('4');
});

/** Stores a checkpoint of a run, whose first byte is its iteration. */
const keep = (page: Page, id: string, iteration: number, sizeBytes = 1000): Promise<string> =>
  call(
    page,
    `checkpoints.save('${id}', ${iteration}, { checkpoint: bytes(${sizeBytes}, ${iteration}), history: { metrics: [],
    rollouts: [], warmLosses: [], curve: [] } })`,
  );

/** Iterations of a run's checkpoints, with spaces between. */
const kept = (page: Page, id: string): Promise<string> =>
  call(page, `checkpoints.list('${id}').then((list) => list.join(' ') || 'none')`);

test('checkpoints are read by their step, a damaged one is refused, and they go with their run', async () => {
  const page = await open();
  for (const iteration of [0, 10, 2]) expect(await keep(page, 'a b', iteration)).toBe('done');
  await keep(page, 'b', 7);
  expect([await kept(page, 'a b'), await kept(page, 'b'), await kept(page, 'c')]).toEqual(['0 2 10', '7', 'none']);
  const read = (iteration: number) =>
    call(page, `checkpoints.load('a b', ${iteration}).then(({ checkpoint }) => String(checkpoint[0]))`);
  expect(await read(10)).toBe('10');
  await page.evaluate(`kept.store('readwrite', (entries) => new Promise((resolve) => {
    const request = entries.get('checkpoint a b 10');
    request.onsuccess = () => {
      request.result.snapshot.checkpoint[17] ^= 1;
      entries.put(request.result, 'checkpoint a b 10');
      entries.transaction.oncomplete = resolve;
    };
  }))`);
  expect(await read(10)).toContain('The checkpoint of iteration 10 is not there any more, or cannot be read');
  expect(await read(2)).toBe('2');
  await save(page, 'b', 1);
  expect(await call(page, `delete('b')`)).toBe('done');
  expect([await kept(page, 'a b'), await kept(page, 'b')]).toEqual(['0 2 10', 'none']);
});

test('checkpoints of a run that cannot go on any more are deleted', async () => {
  const page = await open();
  for (const value of [1, 2, 3, 4]) await save(page, `run ${value}`, value);
  await keep(page, 'run 1', 5);
  await keep(page, 'run 2', 5);
  await save(page, 'run 5', 5);
  expect([await kept(page, 'run 1'), await kept(page, 'run 2')]).toEqual(['none', '5']);
});

test('without space, checkpoints of other runs go first, then the run’s own; its states stay', async () => {
  const page = await open(3 * 2 ** 20);
  expect(await save(page, 'a', 1)).toBe('done');
  expect(await keep(page, 'a', 1)).toBe('done');
  expect(await keep(page, 'other', 1, 2_000_000)).toBe('done');
  // Browsers free the space of what was deleted late, so it may be refused all the same.
  expect(await keep(page, 'a', 2, 2_000_000)).toMatch(/^(done|QuotaExceededError.*)$/);
  expect([await kept(page, 'other'), (await kept(page, 'a'))[0]]).toEqual(['none', '1']);
  expect(await save(page, 'a', 2, { sizeBytes: 4_000_000 })).toContain('QuotaExceededError');
  expect(await kept(page, 'a')).toBe('none');
  expect(await load(page, 'a')).toBe('1');
});

test('after site data was cleared under it, the store is opened anew', async () => {
  const page = await open();
  expect(await save(page, 'a', 1)).toBe('done');
  await clearSiteData(page);
  expect(await load(page, 'a')).toContain('not there any more');
  expect(await save(page, 'a', 2)).toBe('done');
  expect(await load(page, 'a')).toBe('2');
});

/** Closes connections to the database as soon as they open, as a browser does that has not cleared all of it yet. */
const closeNext = (page: Page, connections: number): Promise<unknown> =>
  page.evaluate(`(() => {
    const open = indexedDB.open.bind(indexedDB);
    let left = ${connections};
    indexedDB.open = (...named) => {
      const request = open(...named);
      if (left-- > 0) request.addEventListener('success', () => request.result.close());
      return request;
    };
  })()`);

test('the store is opened anew until the browser no longer closes it', async () => {
  const page = await open();
  await closeNext(page, 3);
  expect(await save(page, 'a', 1)).toBe('done');
  expect(await load(page, 'a')).toBe('1');
});
