/**
 * The built page on a plain static host, as the browser tests find it: built once into a temporary folder, served from a sub-path
 * without special headers. A vitest global setup; tests read the address with `inject('siteUrl')`.
 */
import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, normalize } from 'node:path';
import { build } from 'vite';
import type { TestProject } from 'vitest/node';

declare module 'vitest' {
  export interface ProvidedContext {
    /** Address of the built page, ending in `/`. */
    siteUrl: string;
  }
}

const SUB_PATH = '/some/path/';
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

/** Builds and serves the page; the function it returns takes both away again. */
export async function setup(project: TestProject): Promise<() => void> {
  const folder = mkdtempSync(join(tmpdir(), 'agentlet-site-'));
  await build({ logLevel: 'error', build: { outDir: folder, emptyOutDir: true } });
  const server = createServer((request, response) => respond(folder, request, response));
  await new Promise<void>((listening) => server.listen(0, '127.0.0.1', listening));
  project.provide('siteUrl', `http://127.0.0.1:${(server.address() as AddressInfo).port}${SUB_PATH}`);
  return () => {
    server.closeAllConnections();
    server.close();
    rmSync(folder, { recursive: true, force: true });
  };
}

function respond(folder: string, request: IncomingMessage, response: ServerResponse): void {
  const path = decodeURIComponent(new URL(request.url ?? '/', 'http://host').pathname);
  const relative = path.startsWith(SUB_PATH) ? normalize(path.slice(SUB_PATH.length)) : '..';
  const file = join(folder, relative === '.' ? 'index.html' : relative);
  if (relative.startsWith('..') || !statSync(file, { throwIfNoEntry: false })?.isFile()) {
    response.writeHead(404, { 'content-type': 'text/plain' }).end(`${path} is not here.`);
    return;
  }
  response.writeHead(200, { 'content-type': TYPES[extname(file)] ?? 'application/octet-stream' });
  createReadStream(file).pipe(response);
}
