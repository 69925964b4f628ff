/** Many callers over several workers: each gets its own verdict, all have work, and faults stay where they are. */
import { expect, test } from 'vitest';
import type { Sandbox, SandboxRequest, Verdict } from '../../src/agent/sandbox';
import { SharedSandbox } from '../../src/sandbox/shared-sandbox';
import { openLocal, openPool, probe, request } from './open';

/** Counts the messages and requests that reach a sandbox. */
class Counted implements Sandbox {
  readonly messages: (readonly SandboxRequest[])[] = [];

  constructor(private readonly sandbox: Sandbox) {}

  load = (source: string, rows?: string) => this.sandbox.load(source, rows);
  dispose = () => this.sandbox.dispose();
  call(requests: readonly SandboxRequest[]): Promise<Verdict[]> {
    this.messages.push(requests);
    return this.sandbox.call(requests);
  }
}

const source = probe('n++; return [n, args.i, Math.random()].join()', 'let n = 0;');
const single = (i: number) => request('execute', { tool: 'probe', arguments: { i } }, 0, i);

async function twoWorkers() {
  const pools = [await openPool({ size: 1, silenceMs: 2000 }), await openPool({ size: 1, silenceMs: 2000 })];
  const workers = pools.map(({ pool }) => new Counted(pool));
  const shared = new SharedSandbox(workers);
  const close = () => Promise.all(pools.map((each) => each.close()));
  return { shared, workers, close };
}

test('40 single calls reach both workers, made at once or one after another, and get the verdicts of one', async () => {
  const { shared, workers, close } = await twoWorkers();
  await shared.load(source);
  const requests = Array.from({ length: 40 }, (_, i) => single(i));
  const local = await openLocal(source);
  const expected: Verdict[] = [];
  for (const each of requests) expected.push(...(await local.call([each])));
  expect((await Promise.all(requests.map((each) => shared.call([each])))).flat()).toEqual(expected);
  const reached = workers.map(({ messages }) => messages.flat().length);
  expect(reached[0] + reached[1]).toBe(40);
  // How many depends on which core the operating system gives to whom.
  expect(Math.min(...reached)).toBeGreaterThan(0);
  const inTurn: Verdict[] = [];
  for (const each of requests) inTurn.push(...(await shared.call([each])));
  expect(inTurn).toEqual(expected);
  workers.forEach(({ messages }, k) => expect(messages.flat().length - reached[k]).toBe(20));
  await close();
});

test('40 calls made at once are shared equally between workers that are equally fast', async () => {
  const counts = [0, 0];
  let turn = Promise.resolve();
  const worker = (id: number): Sandbox => ({
    load: () => Promise.resolve(),
    dispose: () => undefined,
    async call(requests) {
      counts[id] += requests.length;
      await (turn = turn.then(() => undefined));
      return requests.map(({ seed }): Verdict => ({ kind: 'value', value: seed, fuel: 0 }));
    },
  });
  const shared = new SharedSandbox([worker(0), worker(1)]);
  await Promise.all(Array.from({ length: 40 }, (_, i) => shared.call([single(i)])));
  expect(Math.abs(counts[0] - counts[1]), String(counts)).toBeLessThanOrEqual(8);
  expect(counts[0] + counts[1]).toBe(40);
});

test('sequential calls alternate between idle workers', async () => {
  const seen: number[] = [];
  const worker = (id: number): Sandbox => ({
    load: () => Promise.resolve(),
    dispose: () => undefined,
    call: (requests) => {
      seen.push(id);
      return Promise.resolve(requests.map(({ seed }): Verdict => ({ kind: 'value', value: seed, fuel: 0 })));
    },
  });
  const shared = new SharedSandbox([worker(0), worker(1)]);
  for (let i = 0; i < 4; i++) expect(await shared.call([single(i)])).toMatchObject([{ value: i }]);
  expect(seen).toEqual([0, 1, 0, 1]);
});

test('a worker that fails rejects the calls that it had, and no others', async () => {
  const fails = (requests: readonly SandboxRequest[]) => requests.some(({ seed }) => seed === 3);
  const worker = (): Sandbox => ({
    load: () => Promise.resolve(),
    dispose: () => undefined,
    call: (requests) =>
      fails(requests)
        ? Promise.reject(new Error('it died'))
        : Promise.resolve(requests.map(({ seed }): Verdict => ({ kind: 'value', value: seed, fuel: 0 }))),
  });
  const shared = new SharedSandbox([worker(), worker(), worker(), worker()]);
  const settled = await Promise.allSettled([1, 2, 3, 4].map((i) => shared.call([single(i)])));
  expect(settled.map(({ status }) => status)).toEqual(['fulfilled', 'fulfilled', 'rejected', 'fulfilled']);
  expect(await shared.call([single(5)])).toMatchObject([{ value: 5 }]);
});

test('requests of one episode stay together and in order, however they are numbered', async () => {
  const { shared, close } = await twoWorkers();
  await shared.load(source);
  const requests = Array.from({ length: 30 }, (_, i) =>
    request('execute', { tool: 'probe', arguments: { i } }, (i * 7) % 11, i),
  );
  expect(await shared.call(requests)).toEqual(await (await openLocal(source)).call(requests));
  expect(await shared.call([])).toEqual([]);
  await close();
});
