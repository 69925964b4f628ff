/**
 * The pool over real threads: one that dies or says nothing is replaced and asked again, and neither that nor the
 * division of work can be seen in the results.
 */
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { WorkerPool } from '../../src/sandbox/worker-pool';
import { openLocal, openPool, probe, request, type Faults } from './open';

const silenceMs = 2000;
let pool: WorkerPool;
let close: () => Promise<void>;
let spawned: () => number;
let faults: Faults;

beforeAll(async () => {
  ({ pool, spawned, faults, close } = await openPool({ size: 2, silenceMs }));
});
afterAll(() => close());

const source = probe('n++; return [n, args.i, Math.random()].join()', 'let n = 0;');
const requests = Array.from({ length: 50 }, (_, i) =>
  request('execute', { tool: 'probe', arguments: { i } }, (i * 7) % 11, i),
);

test('verdicts and fuel are those of one thread, in the order of the requests', async () => {
  await pool.load(source);
  const expected = await (await openLocal(source)).call(requests);
  expect(await pool.call(requests)).toEqual(expected);
  expect(await pool.call([])).toEqual([]);
});

test('a worker that dies is replaced, and the batch it had is answered as if nothing had happened', async () => {
  await pool.load(source);
  const expected = await pool.call(requests);
  const before = spawned();
  const answer = pool.call(requests);
  await faults.kill(0);
  expect(await answer).toEqual(expected);
  expect(spawned()).toBe(before + 1);
  expect(await pool.call(requests)).toEqual(expected);
  expect(spawned()).toBe(before + 1);
});

test('a worker that dies while nothing is asked of it is replaced before the next batch', async () => {
  await pool.load(source);
  const expected = await pool.call(requests);
  const before = spawned();
  await faults.kill(0);
  const startMs = performance.now();
  expect(await pool.call(requests)).toEqual(expected);
  expect(performance.now() - startMs).toBeLessThan(silenceMs);
  expect(spawned()).toBe(before + 1);
});

test('a worker that falls silent without a word is replaced too', async () => {
  await pool.load(source);
  const expected = await pool.call(requests);
  const before = spawned();
  faults.mute(1);
  expect(await pool.call(requests)).toEqual(expected);
  expect(spawned()).toBe(before + 1);
});

test('a batch that silences two workers in a row stops the run with a sentence, and gives no verdict', async () => {
  await pool.load(source);
  faults.muteFrom(spawned());
  faults.mute(0);
  await expect(pool.call(requests)).rejects.toThrow(
    'The environment is too slow on this machine: twice, nothing came back for 2 s; the run was stopped. ' +
      'Close other programs and try again, or make the environment do less in each call.',
  );
  faults.end();
  await pool.load(source);
  expect(await pool.call(requests)).toHaveLength(50);
});

test('a place where workers die three times in a row stops the run with a sentence', async () => {
  await pool.load(source);
  const before = spawned();
  faults.killFrom(before);
  const answer = pool.call(requests);
  await faults.kill(0);
  await expect(answer).rejects.toThrow(
    /^The sandbox died 3 times in a row \(.+\); the run was stopped\. Start it again\.$/,
  );
  expect(spawned()).toBe(before + 2);
  faults.end();
  expect(await pool.call(requests)).toHaveLength(50);
});

test('many requests that burn all their fuel are not mistaken for a stuck worker', async () => {
  await pool.load(probe('for (;;);'));
  const before = spawned();
  const asked = Array.from({ length: 24 }, (_, i) => ({
    ...request('execute', { tool: 'probe', arguments: {} }, i % 4),
    fuel: 20e6,
  }));
  const verdicts = await pool.call(asked);
  expect(verdicts).toEqual(asked.map(() => ({ kind: 'killed', reason: 'fuel', fuel: 20e6 })));
  expect(spawned()).toBe(before);
});

test('a module that does not load is a sentence, and the pool goes on', async () => {
  await expect(pool.load('for (;;);')).rejects.toThrow('The environment cannot be loaded: it was stopped (fuel).');
  await expect(pool.call(requests)).rejects.toThrow('before load');
  await pool.load(source);
  expect(await pool.call(requests)).toHaveLength(50);
});

test('calls made at once are answered each with their own', async () => {
  await pool.load(probe('return String(args.i)'));
  const answers = await Promise.all(
    [1, 2, 3, 4].map((i) => pool.call([request('execute', { tool: 'probe', arguments: { i } })])),
  );
  expect(answers.map(([verdict]) => verdict)).toMatchObject(
    [1, 2, 3, 4].map((i) => ({ kind: 'value', value: { text: String(i) } })),
  );
});

test('closing it ends what is under way with a sentence', async () => {
  const other = await openPool({ size: 1, silenceMs: 2000 });
  await other.pool.load(probe('for (;;);'));
  const answer = other.pool.call(
    Array.from({ length: 99 }, (_, i) => request('execute', { tool: 'probe', arguments: {} }, i)),
  );
  const refused = expect(answer).rejects.toThrow('The sandbox was closed.');
  await other.close();
  await refused;
});
