import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { sha256 } from '../../../src/lib/sha256';
import { download, type RemoteFile, type StoredPart } from '../../../src/run/models/file-download';

const contents = Uint8Array.from({ length: 300_000 }, (_, i) => (i * i) >>> 7);

type Answer = (request: IncomingMessage, response: ServerResponse) => void;
const open: (() => void)[] = [];
afterEach(() => open.splice(0).forEach((close) => close()));

/** A hub on this machine: its answers in order, the last one again and again. */
async function hub(...answers: Answer[]): Promise<{ file: RemoteFile; ranges: (string | undefined)[] }> {
  const ranges: (string | undefined)[] = [];
  const server = createServer((request, response) => {
    ranges.push(request.headers.range);
    answers[Math.min(ranges.length, answers.length) - 1](request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/model.safetensors`;
  const file = { name: 'model.safetensors', url, sizeBytes: contents.length, sha256: await sha256(contents) };
  return { file, ranges };
}

const startOf = ({ headers }: IncomingMessage): number => Number(/bytes=(\d+)-/.exec(headers.range ?? '')?.[1] ?? 0);

/** @param most bytes of an answer, after which the connection is dropped */
const serve =
  (most = Infinity, bytes = contents): Answer =>
  (request, response) => {
    const from = startOf(request);
    const rest = bytes.subarray(from);
    const range = { 'Content-Range': `bytes ${from}-${bytes.length - 1}/${bytes.length}` };
    response.writeHead(from > 0 ? 206 : 200, { 'Content-Length': rest.length, ...(from > 0 && range) });
    if (rest.length <= most) response.end(rest);
    else response.write(rest.subarray(0, most), () => setTimeout(() => response.destroy(), 20));
  };
const status =
  (code: number): Answer =>
  (_, response) =>
    response.writeHead(code).end();

function part(kept = new Uint8Array(0), mostBytes = Infinity): StoredPart & { bytes: Uint8Array<ArrayBuffer> } {
  return {
    bytes: kept,
    async size() {
      return this.bytes.length;
    },
    async append(more) {
      if (this.bytes.length + more.length > mostBytes) throw new DOMException('full', 'QuotaExceededError');
      this.bytes = new Uint8Array(Buffer.concat([this.bytes, more]));
    },
    async read(offset, length) {
      return this.bytes.slice(offset, offset + length);
    },
    async clear() {
      this.bytes = new Uint8Array(0);
    },
  };
}

function options() {
  const waits: number[] = [];
  return { waits, fetch, wait: async (failures: number) => void waits.push(failures) };
}

test('a file is fetched, also behind a redirect', async () => {
  const moved: Answer = (_, response) => response.writeHead(302, { Location: '/elsewhere' }).end();
  const { file } = await hub(moved, serve());
  const kept = part();
  const progress: number[] = [];
  await download(file, kept, { ...options(), onProgress: (done) => progress.push(done) });
  expect(Buffer.compare(kept.bytes, contents)).toBe(0);
  expect(progress.at(-1)).toBe(contents.length);
});

test('a connection that drops goes on where it ended, and so does a later visit', async () => {
  const { file, ranges } = await hub(serve(50_000), status(503), serve(50_000), serve());
  const kept = part(contents.slice(0, 1000));
  const asked = options();
  await download(file, kept, asked);
  expect(Buffer.compare(kept.bytes, contents)).toBe(0);
  expect(ranges[0]).toBe('bytes=1000-');
  const starts = ranges.map((range) => Number(range!.slice(6, -1)));
  expect(starts[1]).toBeGreaterThan(1000);
  expect(starts[2]).toBe(starts[1]);
  expect(starts[3]).toBeGreaterThan(starts[2]);
  expect(asked.waits).toEqual([1, 2, 1]);
});

const tagged =
  (tag: string, answer: Answer): Answer =>
  (request, response) => {
    response.setHeader('ETag', tag);
    answer(request, response);
  };

test('a file that the hub changed between two answers is fetched anew', async () => {
  const older = contents.map((byte) => byte ^ 1);
  const { file, ranges } = await hub(tagged('"a"', serve(50_000, older)), tagged('"b"', serve()));
  const kept = part();
  await download(file, kept, options());
  expect(Buffer.compare(kept.bytes, contents)).toBe(0);
  expect(ranges).toEqual(['bytes=0-', expect.stringMatching(/^bytes=[1-9]\d*-$/), 'bytes=0-']);
});

test('without a digest, nothing joins the bytes of an earlier visit, of which no ETag is known', async () => {
  const { file, ranges } = await hub(tagged('"b"', serve()));
  const kept = part(contents.map((byte) => byte ^ 1).slice(0, 1000));
  await download({ ...file, sha256: null }, kept, options());
  expect(Buffer.compare(kept.bytes, contents)).toBe(0);
  expect(ranges).toEqual(['bytes=0-']);
});

test.each(['"a"', null])('without a digest, a range joins one of the ETag "a" alone, and not of %s', async (second) => {
  const older = second === null ? contents.map((byte) => byte ^ 1) : contents;
  const next = second === null ? serve() : tagged(second, serve());
  const { file, ranges } = await hub(tagged('"a"', serve(50_000, older)), next);
  const kept = part();
  await download({ ...file, sha256: null }, kept, options());
  expect(Buffer.compare(kept.bytes, contents)).toBe(0);
  expect(ranges.at(-1)).toEqual(second === null ? 'bytes=0-' : expect.stringMatching(/^bytes=[1-9]\d*-$/));
});

const silent: Answer = () => undefined;
const stuck: Answer = (_, response) => {
  response.writeHead(200, { 'Content-Length': contents.length });
  response.write(contents.subarray(0, 50_000));
};
test.each([
  ['whose answer never begins', silent, 0],
  ['of which no more comes', stuck, 50_000],
])('one %s ends in one sentence, and goes on at the next try', async (_, answer, come) => {
  const { file, ranges } = await hub(answer, serve());
  const kept = part();
  const asked = { ...options(), maxSilenceMs: 1000 };
  await expect(download(file, kept, asked)).rejects.toThrow(
    /^"model.safetensors" cannot be fetched: nothing came for 1 s\. Download it again to go on from there\.$/,
  );
  expect(asked.waits).toEqual([]);
  expect(kept.bytes).toHaveLength(come);
  await download(file, kept, options());
  expect(Buffer.compare(kept.bytes, contents)).toBe(0);
  expect(ranges).toEqual(['bytes=0-', `bytes=${come}-`]);
});

test('a file that is there is not asked for', async () => {
  const { file, ranges } = await hub(serve());
  await download(file, part(contents.slice()), options());
  expect(ranges).toEqual([]);
});

test('a server without ranges begins again', async () => {
  const whole: Answer = (_, response) => response.end(contents);
  const { file } = await hub(whole);
  const kept = part(new Uint8Array(1000));
  await download(file, kept, options());
  expect(Buffer.compare(kept.bytes, contents)).toBe(0);
});

test.each<[string, Answer, RegExp]>([
  ['private', status(401), /^"model.safetensors" is private, or its licence/],
  ['missing', status(404), /^"model.safetensors" is not on the hub/],
  ['refused', status(418), /the hub answers 418\.$/],
  ['truncated', serve(Infinity, contents.subarray(0, 299_999)), /has 299999 bytes on the hub, and should have 300000/],
])('one that is %s is one sentence, after one request', async (_, answer, sentence) => {
  const { file, ranges } = await hub(answer);
  await expect(download(file, part(), options())).rejects.toThrow(sentence);
  expect(ranges).toHaveLength(1);
});

test('a hub that does not answer is given up, and what has come is kept', async () => {
  const { file, ranges } = await hub(serve(50_000), status(503));
  const kept = part();
  await expect(download(file, kept, options())).rejects.toThrow(/the hub answers 503. Download it again to go on/);
  expect(ranges).toHaveLength(5);
  expect(kept.bytes.length).toBeGreaterThan(0);
});

test('other bytes than the hub promised are deleted', async () => {
  const other = contents.slice();
  other[77] ^= 1;
  const { file } = await hub(serve(Infinity, other));
  const kept = part();
  await expect(download(file, kept, options())).rejects.toThrow(/came damaged and was deleted/);
  expect(kept.bytes).toHaveLength(0);
});

test('a full disk is one sentence', async () => {
  const { file } = await hub(serve());
  await expect(download(file, part(new Uint8Array(0), 1000), options())).rejects.toThrow(/^There is no space for/);
});
