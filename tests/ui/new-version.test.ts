/** When the page registers its service worker, and which newer versions it offers. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepOffline, type NewVersion } from '../../src/ui/app/new-version';

/** A worker of the browser, with the listeners that the page adds. */
class FakeTarget {
  readonly listeners = new Map<string, (() => void)[]>();
  state = 'installing';
  readonly messages: unknown[] = [];
  addEventListener(type: string, listener: () => void): void {
    this.listeners.set(type, [...(this.listeners.get(type) ?? []), listener]);
  }
  postMessage(message: unknown): void {
    this.messages.push(message);
  }
  become(state: string): void {
    this.state = state;
    this.emit('statechange');
  }
  emit(type: string): void {
    for (const listener of this.listeners.get(type) ?? []) listener();
  }
}

class FakeRegistration extends FakeTarget {
  waiting: FakeTarget | null = null;
  installing: FakeTarget | null = null;
}

const workers = Object.assign(new FakeTarget(), {
  controller: null as object | null,
  ready: Promise.resolve({}),
  register: vi.fn(),
});
let registration: FakeRegistration;
let heldLocks: string[];
let html: string;
let reloads: number;
let connection: object | undefined;

beforeEach(() => {
  registration = new FakeRegistration();
  [heldLocks, html, reloads, connection] = [[], page('one'), 0, undefined];
  workers.controller = {};
  workers.listeners.clear();
  workers.register.mockReset().mockImplementation(async () => registration);
  vi.stubEnv('PROD', true);
  const idle = { requestIdleCallback: (rest: () => void) => rest(), isSecureContext: true };
  vi.stubGlobal('window', idle);
  vi.stubGlobal('requestIdleCallback', idle.requestIdleCallback);
  vi.stubGlobal('crossOriginIsolated', false);
  vi.stubGlobal('document', { readyState: 'complete', querySelector: () => ({ content: 'one' }) });
  vi.stubGlobal('location', { reload: () => reloads++ });
  vi.stubGlobal('fetch', async () => ({ ok: true, text: async () => html }));
  vi.stubGlobal('navigator', {
    serviceWorker: workers,
    get connection() {
      return connection;
    },
    locks: {
      request: (name: string) => heldLocks.push(name),
      query: async () => ({ held: heldLocks.map((name) => ({ name })) }),
    },
  });
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.unstubAllEnvs();
});

const page = (version: string) => `<head><meta name="version" content="${version}"></head>`;
const soon = () => new Promise((resolve) => setTimeout(resolve));

async function offered(): Promise<NewVersion[]> {
  const versions: NewVersion[] = [];
  await keepOffline((version) => versions.push(version));
  await soon();
  return versions;
}

test('only a build registers a worker, and not where the visitor saves data', async () => {
  vi.stubEnv('PROD', false);
  await offered();
  vi.stubEnv('PROD', true);
  connection = { saveData: true };
  await offered();
  expect(workers.register).not.toHaveBeenCalled();
  connection = { saveData: false };
  await offered();
  expect(workers.register).toHaveBeenCalledOnce();
});

test('a browser that refuses the worker shows the page all the same', async () => {
  workers.register.mockRejectedValue(new Error('no'));
  workers.controller = null;
  html = page('two');
  expect(await offered()).toEqual([]);
});

test('a version that waits already is offered', async () => {
  registration.waiting = new FakeTarget();
  expect(await offered()).toHaveLength(1);
});

test('a version that comes is offered once it is installed', async () => {
  const versions = await offered();
  expect(versions).toEqual([]);
  const next = (registration.installing = new FakeTarget());
  registration.emit('updatefound');
  next.become('activating');
  expect(versions).toEqual([]);
  next.become('installed');
  expect(versions).toHaveLength(1);
});

test('the first worker of a tab is no newer version, unless the host has another page by then', async () => {
  workers.controller = null;
  registration.waiting = new FakeTarget();
  expect(await offered()).toEqual([]);
  html = page('two');
  const [version, ...others] = await offered();
  expect(others).toEqual([]);
  expect(await version.open()).toBe(true);
  expect(reloads).toBe(1);
  html = '';
  expect(await offered(), 'without a connection').toEqual([]);
});

test('it is opened when no other tab needs the old one, and the page reloads once it has taken over', async () => {
  const waiting = (registration.waiting = new FakeTarget());
  const [version] = await offered();
  const own = [...heldLocks];
  expect(own).toHaveLength(2);
  heldLocks.push(...own);
  expect(await version.open()).toBe(false);
  expect(waiting.messages).toEqual([]);
  heldLocks = own;
  expect(await version.open()).toBe(true);
  expect(waiting.messages).toEqual([{ type: 'SKIP_WAITING' }]);
  expect(reloads).toBe(0);
  workers.emit('controllerchange');
  expect(reloads).toBe(1);
});

test('a browser that knows nothing of locks opens it, too', async () => {
  const waiting = (registration.waiting = new FakeTarget());
  vi.stubGlobal('navigator', { serviceWorker: workers });
  const [version] = await offered();
  expect([await version.open(), waiting.messages]).toEqual([true, [{ type: 'SKIP_WAITING' }]]);
});

test('nothing is registered before the page has loaded', async () => {
  const waits: [string, () => void, object][] = [];
  vi.stubGlobal('document', { readyState: 'interactive', querySelector: () => ({ content: 'one' }) });
  Object.assign(window, { addEventListener: (...wait: (typeof waits)[number]) => waits.push(wait) });
  const kept = keepOffline(() => undefined);
  await soon();
  expect([workers.register.mock.calls.length, waits.map(([type, , options]) => [type, options])]).toEqual([
    0,
    [['load', { once: true }]],
  ]);
  waits[0][1]();
  await kept;
  expect(workers.register).toHaveBeenCalledOnce();
});
