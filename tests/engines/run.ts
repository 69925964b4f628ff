/**
 * Runs every tool item of the attack corpus in Node, Chromium and Firefox, compares the verdicts and their fuel, and
 * writes observations.json, to which observations.full.test.ts holds Node. With `AGENTLET_ATTACKS` it only compares.
 * Ends with 1 if engines disagree or a browser is missing.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { build, runnerImport } from 'vite';
import { meterQuickJs } from '../../src/cli/quickjs';
import { readCorpus, type Item } from '../attacks/corpus';
import { installedBrowsers, withBrowser } from './browsers';
import type * as ObserveAll from './observe-all';
import type { Observations } from './observe-all';

const here = import.meta.dirname;
const patienceMs = 300_000;
const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.wasm': 'application/wasm',
  '.json': 'application/json',
};

/** One engine's answers, under its name and version. */
interface Seen {
  readonly engine: string;
  readonly observations: Observations;
}

/** What the page posts. */
interface Report {
  readonly userAgent: string;
  readonly observations?: Observations;
  readonly fault?: string;
}

async function main(): Promise<void> {
  const items = readCorpus().filter((item) => item.class !== 'share-link');
  const engine = await meterQuickJs();
  // The sandbox imports text with `?raw`, which means something to Vite and nothing to Node.
  const observeAllFile = join(here, 'observe-all.ts');
  const { module } = await runnerImport<typeof ObserveAll>(observeAllFile, { configFile: false, logLevel: 'error' });
  const node = {
    engine: `Node ${process.versions.node}`,
    observations: await module.observeAll(await WebAssembly.compile(engine), items),
  };
  const seen = [node, ...(await inBrowsers(engine, items))];
  const different = items
    .map(({ name }) => name)
    .filter((name) => new Set(seen.map((each) => JSON.stringify(each.observations[name]))).size > 1);
  console.log(
    `${items.length} items in ${seen.map((each) => each.engine).join(', ')}: ${items.length - different.length} alike.`,
  );
  for (const name of different)
    for (const each of seen) console.log(`${name} in ${each.engine}: ${JSON.stringify(each.observations[name])}`);
  const complete = seen.length === 3;
  if (!complete) console.log('A Chromium and a Firefox are needed for a whole comparison.');
  if (complete && process.env.AGENTLET_ATTACKS === undefined) {
    const sha256 = { engine: await module.sha256(engine), guest: await module.guestDigest() };
    const engines = seen.map((each) => each.engine);
    const file = {
      about: 'Written by npm run engines.',
      sha256,
      engines,
      allEqual: different.length === 0,
      observations: node.observations,
    };
    await writeFile(join(here, 'observations.json'), `${JSON.stringify(file, null, 1)}\n`);
  }
  process.exitCode = complete && different.length === 0 ? 0 : 1;
}

async function inBrowsers(engine: Uint8Array<ArrayBuffer>, items: readonly Item[]): Promise<Seen[]> {
  const folder = await mkdtemp(join(tmpdir(), 'agentlet-engines-'));
  const worker = { format: 'es' } as const;
  const target = 'es2023';
  await build({
    configFile: false,
    logLevel: 'error',
    root: join(here, 'page'),
    base: './',
    worker,
    build: { outDir: folder, emptyOutDir: true, target },
  });
  await writeFile(join(folder, 'engine.wasm'), engine);
  await writeFile(join(folder, 'items.json'), JSON.stringify(items));
  let tell: (report: Report) => void = () => {};
  const server = createServer((request, response) => void serve(folder, request, response, (report) => tell(report)));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/index.html`;
  const seen: Seen[] = [];
  try {
    for (const browser of installedBrowsers()) {
      const reported = new Promise<Report>((resolve, reject) => {
        tell = resolve;
        setTimeout(
          () => reject(new Error(`${browser.name} said nothing for ${patienceMs / 1000} s.`)),
          patienceMs,
        ).unref();
      });
      const { userAgent, observations, fault } = await withBrowser(browser, url, reported);
      if (!observations) throw new Error(`${browser.name} could not run the items: ${fault}.`);
      const version = /(?:Firefox|Chrome)\/([\d.]+)/.exec(userAgent)?.[1] ?? 'of unknown version';
      seen.push({ engine: `${browser.name} ${version}`, observations });
    }
  } finally {
    server.closeAllConnections();
    server.close();
    await rm(folder, { recursive: true });
  }
  return seen;
}

async function serve(
  folder: string,
  request: IncomingMessage,
  response: ServerResponse,
  tell: (report: Report) => void,
): Promise<void> {
  const path = new URL(request.url ?? '/', 'http://host').pathname;
  if (path === '/report') {
    tell(JSON.parse(await text(request)) as Report);
    response.end();
    return;
  }
  const body = await readFile(join(folder, path)).catch(() => null);
  response.writeHead(body === null ? 404 : 200, { 'content-type': types[extname(path)] ?? 'text/plain' }).end(body);
}

await main();
