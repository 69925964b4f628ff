/**
 * The built page on static hosts, as the browser tests find it: built once into a temporary folder, served from a
 * sub-path without special headers, and from other ports with those of `_headers`. A vitest global setup; tests read
 * the addresses with `inject('siteUrl')`.
 */
import { mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  type OutgoingHttpHeaders,
  type Server,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { gzipSync } from 'node:zlib';
import { build } from 'vite';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Port of the hub that the built page may ask; nobody listens there until a test does. */
    hubPort: number;
    /** Where the built page lies on this machine. */
    siteFolder: string;
    /** Its address, ending in `/`. */
    siteUrl: string;
    /** The same from a host that sends the headers of `_headers`. */
    siteWithHeadersUrl: string;
    /** And those that `_headers` offers, so that the page can share memory with its workers. */
    siteIsolatedUrl: string;
  }
}

const SUB_PATH = '/some/path/';
/** The entry by which tests reach the page's own sandbox, by the name of its file. */
export const probeEntry = { 'attacks-probe': 'tests/attacks/probe-entry.ts' };
const TYPES: Record<string, string> = {
  '.css': 'text/css',
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.json': 'application/json',
  '.png': 'image/png',
  '.svg': 'image/svg+xml',
  '.wasm': 'application/wasm',
  '.webmanifest': 'application/manifest+json',
};

/** What vitest calls before the browser tests; the function it returns takes everything away again. */
export async function setup(project: TestProject): Promise<() => void> {
  const site = await buildAndServe(probeEntry);
  project.provide('hubPort', site.hubPort);
  project.provide('siteFolder', site.folder);
  project.provide('siteUrl', site.plainUrl);
  project.provide('siteWithHeadersUrl', site.withHeadersUrl);
  project.provide('siteIsolatedUrl', site.isolatedUrl);
  return site.close;
}

export interface Site {
  readonly hubPort: number;
  readonly folder: string;
  readonly plainUrl: string;
  readonly withHeadersUrl: string;
  readonly isolatedUrl: string;
  readonly close: () => void;
}

/**
 * Builds the page and serves it from hosts that send no headers, those of `_headers`, and those it offers, too.
 * @param entries more than the site has, by name; their exports are all they are for
 */
export async function buildAndServe(entries: Readonly<Record<string, string>> = {}): Promise<Site> {
  const folder = mkdtempSync(join(tmpdir(), 'agentlet-site-'));
  // Under vitest's own NODE_ENV it would be a development build, which no visitor gets.
  const { NODE_ENV } = process.env;
  process.env.NODE_ENV = 'production';
  const hubPort = await freePort();
  process.env.VITE_HUB = `http://127.0.0.1:${hubPort}`;
  await build({
    logLevel: 'error',
    build: {
      outDir: folder,
      emptyOutDir: true,
      rolldownOptions: {
        input: { index: 'index.html', ...entries },
        preserveEntrySignatures: 'allow-extension',
        output: { entryFileNames: ({ name }) => (name in entries ? '[name].js' : 'assets/[name]-[hash].js') },
      },
    },
  });
  if (NODE_ENV) process.env.NODE_ENV = NODE_ENV;
  delete process.env.VITE_HUB;
  const headers = readFileSync(join(folder, '_headers'), 'utf8');
  const servers = [
    await serve(folder, {}),
    await serve(folder, headersOf(headers)),
    await serve(folder, headersOf(headers.replaceAll('  # ', '  '))),
  ];
  const [plainUrl, withHeadersUrl, isolatedUrl] = servers.map(addressOf);
  const close = () => {
    servers.forEach(stop);
    rmSync(folder, { recursive: true, force: true });
  };
  return { hubPort, folder, plainUrl, withHeadersUrl, isolatedUrl, close };
}

/** A hub on this machine is closed and opened again by tests, so its port is known before. */
async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  const { port } = server.address() as AddressInfo;
  await new Promise((closed) => server.close(closed));
  return port;
}

/** Also where a browser keeps its connection open. */
export function stop(server: Server): void {
  server.closeAllConnections();
  server.close();
}

/** Headers that `_headers` gives to every path: indented lines of `Name: value`. */
function headersOf(file: string): OutgoingHttpHeaders {
  const lines = file.matchAll(/^ +([\w-]+): (.*)$/gm);
  return Object.fromEntries([...lines].map(([, name, value]) => [name, value]));
}

/** The address of a folder's files, ending in `/`. */
export const addressOf = (server: Server): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}${SUB_PATH}`;

/** A static host that sends these headers with every answer. @param folder what it serves; asked for at each request */
export async function serve(folder: string | (() => string), headers: OutgoingHttpHeaders): Promise<Server> {
  const now = typeof folder === 'string' ? () => folder : folder;
  const server = createServer((request, response) => respond(now(), headers, request, response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  return server;
}

function respond(
  folder: string,
  headers: OutgoingHttpHeaders,
  request: IncomingMessage,
  response: ServerResponse,
): void {
  const path = decodeURIComponent(new URL(request.url ?? '/', 'http://host').pathname);
  const relative = path.startsWith(SUB_PATH) ? normalize(path.slice(SUB_PATH.length)) : '..';
  const file = join(folder, relative === '.' ? 'index.html' : relative);
  if (relative.startsWith('..') || !statSync(file, { throwIfNoEntry: false })?.isFile()) {
    response.writeHead(404, { ...headers, 'content-type': 'text/plain' }).end(`${path} is not here.`);
    return;
  }
  response.writeHead(200, {
    ...headers,
    'content-type': TYPES[extname(file)] ?? 'application/octet-stream',
    'content-encoding': 'gzip',
  });
  response.end(packed(file));
}

const packedFiles = new Map<string, Buffer>();

/** As hosts send text and code. */
function packed(file: string): Buffer {
  if (!packedFiles.has(file)) packedFiles.set(file, gzipSync(readFileSync(file)));
  return packedFiles.get(file)!;
}
