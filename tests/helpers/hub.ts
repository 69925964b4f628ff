/** A hub on this machine, like that of Hugging Face: what it says of a model, and its files behind a redirect. */
import { createHash } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';

export const hubModel = 'tiny/qwen3';
export const hubCommit = 'c0ffee'.padEnd(40, '0');

/** How it misbehaves; what is not given is as it should be. */
export interface HubFaults {
  /** Status of every answer about these files, or about `api`. */
  readonly status?: Readonly<Record<string, number>>;
  /** Drops the connection of a file after so many bytes. */
  readonly drop?: number;
  /** Ranges are ignored. */
  readonly noRanges?: boolean;
  /** Files as others have them. */
  readonly files?: Readonly<Record<string, Uint8Array>>;
  /** What the model's card says instead of apache-2.0; null: nothing. */
  readonly licence?: string | null;
  /** A file of which half is sent, and then nothing. */
  readonly stuck?: string;
}

export interface TestHub {
  readonly address: string;
  /** Files that were sent, and the ranges that were asked for. */
  readonly sent: { readonly file: string; readonly range: string | null }[];
  /** All requests. */
  readonly urls: string[];
  faults: HubFaults;
  close(): Promise<void>;
}

/** @param folder of the model in the layout of Hugging Face @param port 0: any */
export async function openHub(folder: string, port = 0): Promise<TestHub> {
  const own = new Map(readdirSync(folder).map((name) => [name, readFileSync(join(folder, name))]));
  const hub: { -readonly [Name in keyof TestHub]: TestHub[Name] } = {
    address: '',
    sent: [],
    urls: [],
    faults: {},
    close: async () => undefined,
  };
  const server = createServer((request, response) => {
    const url = request.url!;
    hub.urls.push(url);
    response.setHeader('Access-Control-Allow-Origin', '*');
    response.setHeader('Access-Control-Expose-Headers', 'ETag, Content-Range');
    const file = decodeURIComponent(url.split('/').at(-1)!);
    if (url.startsWith('/api/models/')) answer(hub, response, own);
    else if (url.startsWith(`/${hubModel}/resolve/${hubCommit}/`))
      response.writeHead(hub.faults.status?.[file] ?? 302, { Location: `/cdn/${file}` }).end();
    else if (url.startsWith('/cdn/') && own.has(file)) {
      const bytes = hub.faults.files?.[file] ?? own.get(file)!;
      send(hub, request, response, file, bytes);
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(port, '127.0.0.1', resolve));
  hub.address = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  hub.close = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return hub;
}

/** Large files have a digest, as on the hub. */
function answer({ faults, urls }: TestHub, response: ServerResponse, own: ReadonlyMap<string, Uint8Array>): void {
  const status = faults.status?.api;
  const isKnown = urls.at(-1)!.startsWith(`/api/models/${hubModel}/revision/`);
  if (status !== undefined || !isKnown) {
    response.writeHead(status ?? 404).end();
    return;
  }
  const siblings = [...own].map(([rfilename, bytes]) => {
    const sha256 = createHash('sha256').update(bytes).digest('hex');
    const isLarge = rfilename.endsWith('.safetensors');
    return { rfilename, size: bytes.length, ...(isLarge && { lfs: { sha256, size: bytes.length, pointerSize: 130 } }) };
  });
  const { licence = 'apache-2.0' } = faults;
  const cardData = licence === null ? undefined : { license: licence };
  response.setHeader('Content-Type', 'application/json');
  response.end(JSON.stringify({ id: hubModel, sha: hubCommit, siblings, cardData }));
}

function send(
  { faults, sent }: TestHub,
  { headers }: IncomingMessage,
  response: ServerResponse,
  file: string,
  bytes: Uint8Array,
): void {
  const { drop = Infinity, noRanges, stuck } = faults;
  sent.push({ file, range: headers.range ?? null });
  const from = noRanges ? 0 : Number(/bytes=(\d+)-/.exec(headers.range ?? '')?.[1] ?? 0);
  const rest = bytes.subarray(from);
  const range = from > 0 && { 'Content-Range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` };
  const etag = createHash('sha256').update(bytes).digest('hex').slice(0, 16);
  response.writeHead(from > 0 ? 206 : 200, { 'Content-Length': rest.length, ETag: `"${etag}"`, ...range });
  if (file === stuck) response.write(rest.subarray(0, rest.length / 2));
  else if (rest.length <= drop) response.end(rest);
  else response.write(rest.subarray(0, drop), () => setTimeout(() => response.destroy(), 20));
}
