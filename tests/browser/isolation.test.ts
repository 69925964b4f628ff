/**
 * What the page's policy and the sandbox frame keep out, in the built page: code with full control of a sandbox worker
 * finds nothing to take and nowhere to send it. Attacks on the engine inside the worker are in attacks.full.test.ts.
 */
import { createHash } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Worker } from '@playwright/test';
import { expect, inject, onTestFinished, test } from 'vitest';
import { openPage } from '../helpers/browser';
import { sandboxWorkers, trainerWorker } from '../helpers/faults';
import { patienceMs, untilReady } from '../helpers/lab';

/** Expressions that resolve if a worker lets them; `bait` is the address of a server that answers everything. */
const attempts: Readonly<Record<string, string>> = {
  fetch: `fetch(bait)`,
  XMLHttpRequest:
    `settled((ok, no) => { const it = new XMLHttpRequest(); it.onload = ok; it.onerror = no; it.open('GET', ` +
    `bait); it.send(); })`,
  WebSocket:
    `settled((ok, no) => { const it = new WebSocket(bait.replace('http', 'ws')); it.onopen = ok; it.onerror = ` +
    `no; })`,
  EventSource: `settled((ok, no) => { const it = new EventSource(bait); it.onopen = ok; it.onerror = no; })`,
  importScripts: `importScripts(bait)`,
  'import()': `import(bait)`,
  'import() of data': `import('data:text/javascript,export default 1')`,
  eval: `globalThis.eval('1')`,
  'new Function': `new Function('return 1')()`,
  'setTimeout of text': `settled((ok, no) => { globalThis.ok = ok; setTimeout('ok()'); setTimeout(no, 500); })`,
  indexedDB: `settled((ok, no) => { const it = indexedDB.open('bait'); it.onsuccess = ok; it.onerror = no; })`,
  caches: `caches.open('bait')`,
  'navigator.storage': `navigator.storage.getDirectory()`,
  'navigator.locks': `navigator.locks.request('bait', () => {})`,
  Worker:
    `settled((ok, no) => { const it = new Worker(URL.createObjectURL(new Blob(['postMessage(0)']))); ` +
    `it.onmessage = ok; it.onerror = no; })`,
  'navigator.gpu': `navigator.gpu.requestAdapter().then((it) => it ?? Promise.reject())`,
};
/** A worker of a module has no importScripts, wherever it runs. */
const nowhere = ['importScripts'];

test('code with full control of a sandbox worker has no network, no storage, no GPU and makes no code', async () => {
  const { bait, visits } = await openBait();
  for (const headers of [false, true]) {
    const page = await openPage({ attacked: true, headers });
    await untilReady(page);
    // One opens to describe the setup's environment, a moment after the page is ready.
    await expect.poll(() => sandboxWorkers(page).length, { timeout: patienceMs }).toBeGreaterThan(0);
    const [sandbox] = sandboxWorkers(page);
    expect(await sandbox.evaluate('self.origin')).toBe('null');
    visits.clear();
    expect(await succeeding(sandbox, bait, 'sandbox'), headers ? 'with headers' : 'without headers').toEqual([]);
    expect([...visits]).toEqual([]);
  }
});

test('the same attempts succeed in a worker that nothing isolates', async () => {
  const { bait, visits } = await openBait();
  const page = await openPage({ attacked: true });
  await untilReady(page);
  expect([...(await succeeding(trainerWorker(page), bait, 'trainer')), ...nowhere].sort()).toEqual(
    Object.keys(attempts).sort(),
  );
  expect(visits.size).toBeGreaterThan(0);
});

test('the page opens the same policy as meta tag and as header, first of all, with nothing unsafe in it', async () => {
  const page = await openPage();
  await untilReady(page);
  const first = page.locator('head > :first-child');
  expect(await first.getAttribute('http-equiv')).toBe('Content-Security-Policy');
  const meta = directives((await first.getAttribute('content'))!);

  const response = await fetch(inject('siteWithHeadersUrl'));
  const { 'frame-ancestors': ancestors, ...header } = directives(response.headers.get('content-security-policy')!);
  expect(ancestors).toEqual(["'none'"]);
  expect(header).toEqual(meta);
  expect(response.headers.get('cross-origin-opener-policy')).toBe('same-origin');

  const srcdoc = (await page.locator('iframe').getAttribute('srcdoc'))!;
  const frame = directives(/content="([^"]*)"/.exec(srcdoc)![1]);
  const script = /<script>([^]*)<\/script>/.exec(srcdoc)![1];
  const hash = `'sha256-${createHash('sha256').update(script).digest('base64')}'`;
  expect(meta['script-src']).toEqual(["'self'", "'wasm-unsafe-eval'", hash]);
  expect(frame).toEqual({
    'default-src': ["'none'"],
    'script-src': [hash, "'wasm-unsafe-eval'"],
    'worker-src': ['blob:'],
  });
  const hub = `http://127.0.0.1:${inject('hubPort')}`;
  expect(meta['connect-src']).toContain(hub);
  for (const policy of [meta, frame]) {
    expect(policy['default-src']).toEqual(["'none'"]);
    // The page may ask the hub of models, and no other host.
    const unsafe = Object.entries(policy)
      .flatMap(([name, values]) => (name === 'connect-src' ? values.filter((value) => value !== hub) : values))
      .filter((value) => /unsafe|\*|^https?:/.test(value) && value !== "'wasm-unsafe-eval'");
    expect(unsafe).toEqual([]);
  }
});

test('the page does not open inside another site', async () => {
  const { bait } = await openBait();
  const page = await openPage({ attacked: true });
  const url = inject('siteUrl');
  await page.goto(`${bait}?frame=${url}`);
  const framed = page.frameLocator('iframe');
  expect(await framed.getByRole('link', { name: 'Open it in a tab of its own' }).getAttribute('href')).toBe(url);
  expect(await framed.getByRole('button').count()).toBe(0);

  await page.goto(`${bait}?frame=${inject('siteWithHeadersUrl')}`);
  await expect.poll(() => page.frames().at(-1)!.url(), { timeout: patienceMs }).toMatch(/^chrome-error:/);
});

test('a text cannot become markup or the address of a script', async () => {
  const page = await openPage({ attacked: true });
  await untilReady(page);
  const refused = await page.evaluate(() => {
    const tries = [
      () => (document.createElement('p').innerHTML = '<b>'),
      () => (document.createElement('iframe').srcdoc = '<b>'),
      () => (document.createElement('script').src = 'data:,'),
      () => new Worker('data:,'),
      () =>
        (
          window as unknown as { trustedTypes: { createPolicy(name: string, rules: object): void } }
        ).trustedTypes.createPolicy('other', {}),
    ];
    return tries.map((attempt) => {
      try {
        attempt();
        return 'done';
      } catch (error) {
        return (error as Error).name;
      }
    });
  });
  expect(refused).toEqual(Array(5).fill('TypeError'));
});

const directives = (policy: string): Record<string, string[]> =>
  Object.fromEntries(policy.split(/;\s*/).map((directive) => [directive.split(' ')[0], directive.split(' ').slice(1)]));

/**
 * Names of the attempts that a worker lets happen. They run in a task of their own: the debugger's evaluation may do
 * what pages may not.
 */
async function succeeding(worker: Worker, bait: string, from: string): Promise<string[]> {
  const tried = Object.entries(attempts).map(([name, code]) => `${JSON.stringify(name)}: await outcome(() => ${code})`);
  const outcomes = await worker.evaluate(`new Promise((resolve) => setTimeout(async () => {
    const settled = (begin) => new Promise((ok, no) => begin(() => ok(), () => no()));
    const outcome = (attempt) => Promise.race([
      (async () => attempt())().then(() => true, () => false),
      new Promise((late) => setTimeout(late, 5000, false)),
    ]);
    const bait = ${JSON.stringify(`${bait}?from=${from}`)};
    resolve({ ${tried} });
  }))`);
  return Object.entries(outcomes as Record<string, boolean>).flatMap(([name, success]) => (success ? [name] : []));
}

/**
 * A server on another origin that answers whatever it is asked, with a page that frames another if need be, and what it
 * was asked.
 */
async function openBait(): Promise<{ bait: string; visits: Set<string> }> {
  const visits = new Set<string>();
  const server = createServer((request, response) => {
    visits.add(request.url!);
    const framed = new URL(request.url!, 'http://host').searchParams.get('frame');
    const type = framed
      ? 'text/html'
      : request.headers.accept === 'text/event-stream'
        ? 'text/event-stream'
        : 'text/javascript';
    response.writeHead(200, { 'access-control-allow-origin': '*', 'content-type': type });
    response.end(framed ? `<iframe src="${framed}"></iframe>` : '\n');
  });
  server.on('upgrade', (request, socket) => {
    visits.add(request.url!);
    const accept = createHash('sha1')
      .update(`${request.headers['sec-websocket-key']}258EAFA5-E914-47DA-95CA-C5AB0DC85B11`)
      .digest('base64');
    socket.write(
      `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: ` +
        `Upgrade\r\nSec-WebSocket-Accept: ${accept}\r\n\r\n`,
    );
  });
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  onTestFinished(() => {
    server.closeAllConnections();
    server.close();
  });
  return { bait: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`, visits };
}
