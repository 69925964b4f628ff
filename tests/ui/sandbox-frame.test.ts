/** The page's side of the sandbox frame: it starts workers, names their faults, and replaces a frame that is lost. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { soon } from '../helpers/soon';

type Order = { readonly order: 'spawn' | 'terminate'; readonly id: number };

/** Frames that were made; each keeps its orders and answers them as the test says. */
let frames: { orders: Order[]; removed: boolean }[];
/** What was made of each frame. */
let made: object[];
/** What each frame may do. */
const allowances: string[] = [];
let answer: (order: Order, frame: number) => string | null | undefined;
let SandboxWorkers: (typeof import('../../src/ui/trainer/sandbox-frame'))['SandboxWorkers'];
const ports: MessagePort[] = [];

beforeEach(async () => {
  frames = [];
  made = [];
  allowances.length = 0;
  answer = () => null;
  vi.resetModules();
  vi.doMock('virtual:sandbox-frame', () => ({ default: '<html>' }));
  vi.doMock('virtual:sandbox-worker', () => ({ default: 'worker' }));
  vi.stubGlobal('document', {
    body: { append: () => undefined },
    createElement: () => {
      const at = frames.push({ orders: [], removed: false }) - 1;
      const element = {
        sandbox: { add: (allowed: string) => allowances.push(allowed) },
        addEventListener: (_: string, loaded: () => void) => queueMicrotask(loaded),
        remove: () => (frames[at].removed = true),
        contentWindow: {
          postMessage: (_source: string, _origin: string, [port]: MessagePort[]) => {
            ports.push(port);
            port.onmessage = ({ data }: MessageEvent<Order>) => {
              frames[at].orders.push(data);
              const fault = data.order === 'spawn' ? answer(data, at) : undefined;
              if (fault !== undefined) port.postMessage({ id: data.id, fault });
            };
          },
        },
      };
      made.push(element);
      return element;
    },
  });
  ({ SandboxWorkers } = await import('../../src/ui/trainer/sandbox-frame'));
});
afterEach(() => {
  for (const port of ports.splice(0)) port.close();
  vi.doUnmock('virtual:sandbox-frame');
  vi.doUnmock('virtual:sandbox-worker');
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

test('workers are started in one frame, each with a number and an end of a channel', async () => {
  const workers = new SandboxWorkers();
  const [first, second] = await Promise.all([workers.spawn(), workers.spawn()]);
  expect([first.id, second.id]).toEqual([1, 2]);
  expect(first.port).not.toBe(second.port);
  expect(allowances).toEqual(['allow-scripts']);
  expect(made).toMatchObject([{ hidden: true, ariaHidden: 'true', title: 'Sandbox', srcdoc: '<html>' }]);
  expect(frames).toEqual([{ orders: [1, 2].map((id) => ({ order: 'spawn', id })), removed: false }]);
  for (const { port } of [first, second]) port.close();
});

test('a worker that cannot be started is a sentence', async () => {
  answer = () => 'no memory';
  await expect(new SandboxWorkers().spawn()).rejects.toThrow(
    'A sandbox worker could not be started: no memory. Reload the page to try again.',
  );
});

test('a frame that is silent for twenty seconds is replaced, once', async () => {
  answer = (_, frame) => (frame === 0 ? undefined : null);
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const spawned = new SandboxWorkers().spawn();
  await soon(() => expect(frames[0]?.orders).toHaveLength(1));
  vi.advanceTimersByTime(19_999);
  expect(frames).toHaveLength(1);
  vi.advanceTimersByTime(1);
  const { id, port } = await spawned;
  port.close();
  expect([id, frames.map(({ removed }) => removed)]).toEqual([2, [true, false]]);
});

test('a worker that has answered waits for nothing, and its frame stays for the next', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const workers = new SandboxWorkers();
  (await workers.spawn()).port.close();
  expect(vi.getTimerCount()).toBe(0);
  answer = () => 'no memory';
  await expect(workers.spawn()).rejects.toThrow('no memory');
  answer = () => null;
  const next = await workers.spawn();
  next.port.close();
  expect([next.id, frames.map(({ removed }) => removed)]).toEqual([3, [false]]);
});

test('a frame that is silent twice is a sentence', async () => {
  answer = () => undefined;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  const spawned = new SandboxWorkers().spawn();
  const refused = expect(spawned).rejects.toThrow('could not be started: it did not answer.');
  for (const count of [1, 2]) {
    await soon(() => expect(frames[count - 1]?.orders).toHaveLength(1));
    vi.advanceTimersByTime(20_000);
  }
  await refused;
  expect(frames.map(({ removed }) => removed)).toEqual([true, true]);
});

test('its workers end one by one, or all with it; after that none is started', async () => {
  const workers = new SandboxWorkers();
  for (let i = 0; i < 3; i++) (await workers.spawn()).port.close();
  const ended = () => frames[0].orders.filter(({ order }) => order === 'terminate').map(({ id }) => id);
  await workers.terminate(2);
  await workers.terminate(2);
  await soon(() => expect(ended()).toEqual([2]));
  workers.close();
  await soon(() => expect(ended()).toEqual([2, 1, 3]));
  await expect(workers.spawn()).rejects.toThrow('closed before its worker was started');
});
