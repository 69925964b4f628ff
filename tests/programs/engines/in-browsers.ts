/** Runs a worker of `page` in each browser of this machine, in a page that is isolated from other origins. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build } from 'vite';
import { cpuKernels } from '../../../src/cli/build/cpu-kernels-plugin.js';
import { installedBrowsers, withBrowser, type Browser } from './browsers';

const patienceMs = 300_000;
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
};
/** With these, a page may share memory with its workers. */
const isolation = { 'cross-origin-opener-policy': 'same-origin', 'cross-origin-embedder-policy': 'require-corp' };

/** What a worker of the page answered. */
export interface Seen<T> {
  /** Name and version. */
  readonly engine: string;
  readonly answer: T;
}

/** What the page posts. */
interface Report<T> {
  readonly userAgent: string;
  readonly answer?: T;
  readonly fault?: string;
}

/**
 * @param worker name of the worker in `page/page.ts`
 * @param files what the worker fetches, by name
 * @throws a sentence if a browser gives no answer
 */
export async function inBrowsers<T>(
  worker: string,
  files: Readonly<Record<string, string | Uint8Array>>,
  browsers: readonly Browser[] = installedBrowsers(),
): Promise<Seen<T>[]> {
  const folder = await mkdtemp(join(tmpdir(), 'agentlet-engines-'));
  await buildPage(folder);
  for (const [name, content] of Object.entries(files)) await writeFile(join(folder, name), content);
  let tell: (report: Report<T>) => void = () => {};
  const server = createServer(
    (request, response) => void serve(folder, request, response, (report) => tell(report as Report<T>)),
  );
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/index.html?${worker}`;
  const seen: Seen<T>[] = [];
  try {
    for (const browser of browsers) {
      const reported = new Promise<Report<T>>((resolve, reject) => {
        tell = resolve;
        const complain = () => reject(new Error(`${browser.name} said nothing for ${patienceMs / 1000} s.`));
        setTimeout(complain, patienceMs).unref();
      });
      const { userAgent, answer, fault } = await withBrowser(browser, url, reported);
      if (!answer) throw new Error(`${browser.name} gave no answer: ${fault}.`);
      const version = /(?:Firefox|Chrome)\/([\d.]+)/.exec(userAgent)?.[1] ?? 'of unknown version';
      seen.push({ engine: `${browser.name} ${version}`, answer });
    }
  } finally {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  }
  return seen;
}

async function buildPage(outDir: string): Promise<void> {
  await build({
    configFile: false,
    logLevel: 'error',
    root: join(import.meta.dirname, 'page'),
    base: './',
    plugins: [cpuKernels()],
    worker: { format: 'es', plugins: () => [cpuKernels()] },
    build: { outDir, emptyOutDir: true, target: 'es2023' },
  });
}

async function serve(
  folder: string,
  request: IncomingMessage,
  response: ServerResponse,
  tell: (report: unknown) => void,
): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://host').pathname;
  if (path === '/report') {
    tell(JSON.parse(await text(request)));
    response.end();
    return;
  }
  const body = await readFile(join(folder, path)).catch(() => null);
  const headers = { ...isolation, 'content-type': types[extname(path)] ?? 'text/plain' };
  response.writeHead(body === null ? 404 : 200, headers).end(body);
}
