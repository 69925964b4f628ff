/** The pool over real threads: a stuck one is terminated and replaced, and the work division cannot be seen in the results. */
import { afterAll, beforeAll, expect, test } from 'vitest';
import { builtInEnvironments } from '../../src/environments/built-in';
import type { WorkerPool } from '../../src/sandbox/worker-pool';
import { openLocal, openPool, probe, request } from './open';

let pool: WorkerPool;
let close: () => Promise<void>;
let spawned: () => number;

beforeAll(async () => {
  ({ pool, spawned, close } = await openPool({ size: 2, silenceMs: 1500 }));
});
afterAll(() => close());

/** Nearly all of the time goes to native calls, which QuickJS does not poll. */
const unpolled = "let s = '['; s += '1,'.repeat(1e6); s += '1]'; for (let i = 0; i < 1e4; i++) JSON.parse(s); return 'never'";

test('verdicts are those of one thread, in the order of the requests', async () => {
  const source = probe('n++; return [n, args.i, Math.random()].join()', 'let n = 0;');
  const requests = Array.from({ length: 50 }, (_, i) => request('execute', { tool: 'probe', arguments: { i } }, (i * 7) % 11, i));
  await pool.load(source);
  const expected = await (await openLocal(source)).call(requests);
  expect(await pool.call(requests)).toEqual(expected);
  expect(await pool.call([])).toEqual([]);
});

test('a stuck worker is replaced: its episodes are killed, the others are not, the next call is well', async () => {
  await pool.load(probe(`if (args.attack) { ${unpolled} } return 'well'`));
  const before = spawned();
  const ask = (attack: boolean) =>
    [0, 1, 2].map((episode) => request('execute', { tool: 'probe', arguments: { attack: attack && episode === 1 } }, episode));
  const well = { kind: 'value', value: { text: 'well' } };
  expect(await pool.call(ask(true))).toEqual([well, { kind: 'killed', reason: 'time' }, well]);
  expect(await pool.call(ask(false))).toEqual([well, well, well]);
  expect(spawned()).toBe(before + 1);
});

test('many slow episodes in one message are not mistaken for a stuck worker', async () => {
  await pool.load(probe('const endless = { [Symbol.iterator]: () => ({ next: () => ({ done: false }) }) }; for (const _ of endless);'));
  const before = spawned();
  const verdicts = await pool.call(
    Array.from({ length: 16 }, (_, episode) => request('execute', { tool: 'probe', arguments: {} }, episode)),
  );
  expect(verdicts.every((verdict) => verdict.kind === 'killed')).toBe(true);
  expect(spawned()).toBe(before);
});

test('a module that is stuck while loading is a sentence, and the pool goes on', async () => {
  await expect(pool.load(`(() => { ${unpolled} })();`)).rejects.toThrow(
    'The environment cannot be loaded: it did nothing for 1500 ms and was stopped.',
  );
  await pool.load(builtInEnvironments.calculator);
  const [verdict] = await pool.call([request('execute', { tool: 'calc', arguments: { expression: '2+2' } })]);
  expect(verdict).toEqual({ kind: 'value', value: { text: '4' } });
});

test('calls made at once are answered each with their own', async () => {
  await pool.load(probe('return String(args.i)'));
  const answers = await Promise.all([1, 2, 3, 4].map((i) => pool.call([request('execute', { tool: 'probe', arguments: { i } })])));
  expect(answers.map(([verdict]) => verdict)).toEqual([1, 2, 3, 4].map((i) => ({ kind: 'value', value: { text: String(i) } })));
});
