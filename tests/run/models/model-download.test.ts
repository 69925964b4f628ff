/** A model of a hub is looked up, fetched, kept, listed, opened and deleted; what goes wrong is one sentence. */
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { directoryStore } from '../../../src/cli/models/directory-store';
import { pretrainedDigest } from '../../../src/model/pretrained-digest';
import { findOnHub } from '../../../src/run/models/hub';
import { findKept, folderOf, keptModels, openKept, type FileStore } from '../../../src/run/models/kept-models';
import { downloadModel, type ModelProgress } from '../../../src/run/models/model-download';
import { parseRepository } from '../../../src/run/models/repository';
import { hubCommit, hubModel, openHub, type TestHub } from '../../helpers/hub';
import { filesIn } from '../../helpers/pretrained';
import { tinyConfig, writeTinyPretrained } from '../../helpers/tiny-pretrained';

const scratch = mkdtempSync(join(tmpdir(), 'agentlet-hub-'));
const source = writeTinyPretrained(join(scratch, 'source'));
const firstShard = 'model-00001-of-00002.safetensors';
const folder = folderOf({ name: hubModel, revision: hubCommit });

let hub: TestHub;
let root: string;
let store: FileStore;
let count = 0;
beforeAll(async () => (hub = await openHub(source)));
beforeEach(() => {
  hub.faults = {};
  hub.sent.length = 0;
  hub.urls.length = 0;
  root = join(scratch, `store-${count++}`);
  store = directoryStore(root);
});
afterAll(async () => {
  await hub.close();
  rmSync(scratch, { recursive: true, force: true });
});

const waits: number[] = [];
const request = { fetch, wait: async (failures: number) => void waits.push(failures) };
const look = (name = hubModel) => findOnHub(hub.address, parseRepository(name), request);
const fetched = async (options = {}) => downloadModel(await look(), store, { ...request, ...options });

test('it is looked up by two small answers and its index, and nothing is asked before', async () => {
  const model = await look();
  expect(model).toMatchObject({ name: hubModel, asked: null, revision: hubCommit, licence: 'apache-2.0' });
  expect(model.config).toEqual(tinyConfig);
  expect(hub.sent.map(({ file }) => file)).toEqual(['config.json', 'model.safetensors.index.json']);
  expect(model.files.map(({ name }) => name)).toEqual([
    'config.json',
    'tokenizer.json',
    'tokenizer_config.json',
    'generation_config.json',
    'model.safetensors.index.json',
    firstShard,
    'model-00002-of-00002.safetensors',
  ]);
});

test('a revision is asked for by its name', async () => {
  await look(`${hubModel}@refs/pr/1`);
  expect(hub.urls[0]).toBe(`/api/models/${hubModel}/revision/refs%2Fpr%2F1?blobs=true`);
});

test('the files are kept as they are, with their digest, and no draft is left', async () => {
  const seen: ModelProgress[] = [];
  const kept = await fetched({ onProgress: (progress: ModelProgress) => void seen.push(progress) });
  expect(kept.digest).toBe(await pretrainedDigest(filesIn(source)));
  for (const { name } of kept.files)
    expect(readFileSync(join(root, folder, name)).equals(readFileSync(join(source, name))), name).toBe(true);
  expect(readdirSync(join(root, folder)).sort()).toEqual(
    ['agentlet.json', ...kept.files.map(({ name }) => name)].sort(),
  );
  expect(seen.at(-1)!.doneBytes).toBe(seen.at(-1)!.totalBytes);
  expect(seen.every(({ doneBytes }, i) => i === 0 || doneBytes >= seen[i - 1].doneBytes)).toBe(true);
  expect(await pretrainedDigest(await openKept(store, kept))).toBe(kept.digest);
});

test('a second download asks for no file, and one of another store is its own', async () => {
  await fetched();
  hub.sent.length = 0;
  await fetched();
  expect(hub.sent.map(({ file }) => file)).toEqual(['config.json', 'model.safetensors.index.json']);
});

test('connections that drop, again and again, only cost requests', async () => {
  const model = await look();
  hub.faults = { drop: 3000 };
  waits.length = 0;
  const kept = await downloadModel(model, store, request);
  expect(kept.digest).toBe(await pretrainedDigest(filesIn(source)));
  expect(hub.sent.some(({ range }) => range !== null && range !== 'bytes=0-')).toBe(true);
  expect(Math.max(...waits)).toBe(1);
});

test('a hub that knows no ranges is asked for whole files', async () => {
  mkdirSync(join(root, folder), { recursive: true });
  writeFileSync(join(root, folder, `${firstShard}.part`), readFileSync(join(source, firstShard)).subarray(0, 1000));
  hub.faults = { noRanges: true };
  expect((await fetched()).digest).toBe(await pretrainedDigest(filesIn(source)));
  expect(hub.sent.find(({ file }) => file === firstShard)!.range).toBe('bytes=1000-');
});

test('after an abort what has come is kept as a part, listed as not whole, and not fetched again', async () => {
  const abort = new AbortController();
  const onProgress = ({ file, doneBytes }: ModelProgress) => {
    if (file === 'model-00002-of-00002.safetensors' && doneBytes > 0) abort.abort();
  };
  await expect(fetched({ signal: abort.signal, onProgress })).rejects.toThrow(/abort/i);
  expect(readdirSync(join(root, folder))).toContain('model-00002-of-00002.safetensors.part');
  const [partial] = await keptModels(store);
  expect(partial).toMatchObject({ name: hubModel, digest: null });
  expect(partial.keptBytes).toBeGreaterThan(0);
  expect(await findKept(store, parseRepository(hubModel))).toBeNull();
  hub.sent.length = 0;
  const kept = await fetched();
  expect(kept.digest).toBe(await pretrainedDigest(filesIn(source)));
  expect(hub.sent.some(({ file }) => file === firstShard)).toBe(false);
});

test('kept models are found by name, branch and commit, and deleted', async () => {
  await downloadModel(await look(`${hubModel}@main`), store, request);
  for (const name of [hubModel, `${hubModel}@main`, `${hubModel}@${hubCommit}`, `${hubModel}@${hubCommit.slice(0, 7)}`])
    expect(await findKept(store, parseRepository(name)), name).not.toBeNull();
  for (const name of ['tiny/other', `${hubModel}@dev`])
    expect(await findKept(store, parseRepository(name)), name).toBeNull();
  await store.remove(folder);
  expect(await keptModels(store)).toEqual([]);
});

test('a file that was changed after its download is not opened', async () => {
  const kept = await fetched();
  truncateSync(join(root, folder, firstShard), 100);
  await expect(openKept(store, kept)).rejects.toThrow(/is not as it was downloaded: delete the model/);
});

describe('one sentence for', () => {
  const damaged = readFileSync(join(source, firstShard));
  damaged[damaged.length - 1] ^= 1;
  const config = (changes: object) => new TextEncoder().encode(JSON.stringify({ ...tinyConfig, ...changes }));

  test.each<[string, TestHub['faults'], RegExp]>([
    ['a private model', { status: { api: 401 } }, /^"tiny\/qwen3" is private, or its licence must be accepted/],
    ['a missing model', { status: { api: 404 } }, /^"tiny\/qwen3" is not on the hub: check/],
    ['a gated file', { status: { 'config.json': 403 } }, /^"config.json" of "tiny\/qwen3" is private, or/],
    [
      'a hub that is down',
      { status: { api: 503 } },
      /^"tiny\/qwen3" cannot be fetched: the hub answers 503\. Download/,
    ],
    [
      'another architecture',
      { files: { 'config.json': config({ model_type: 'gemma3' }) } },
      /^config.json cannot be used: model_type is "gemma3"/,
    ],
    [
      'absurd sizes',
      { files: { 'config.json': config({ vocab_size: 1 << 20, hidden_size: 1 << 14 }) } },
      /^config.json cannot be used: a model of this size has \d+ parameters/,
    ],
    [
      'an index that leads elsewhere',
      { files: { 'model.safetensors.index.json': new TextEncoder().encode('{"weight_map":{"a":"../../etc"}}') } },
      /^"tiny\/qwen3" has no file "..\/..\/etc" on the hub/,
    ],
  ])('%s, before a weight is asked for', async (_, faults, sentence) => {
    hub.faults = faults;
    await expect(fetched()).rejects.toThrow(sentence);
    expect(hub.urls.some((url) => url.endsWith('.safetensors'))).toBe(false);
    expect(await keptModels(store)).toEqual([]);
  });

  test.each<[string, TestHub['faults'], RegExp]>([
    ['a private shard', { status: { [firstShard]: 401 } }, /^"model-00001-of-00002.safetensors" is private/],
    [
      'a truncated shard',
      { files: { [firstShard]: damaged.subarray(0, 5000) } },
      /^"model-00001-of-00002.safetensors" has 5000 bytes on the hub, and should have \d+/,
    ],
    ['other bytes', { files: { [firstShard]: damaged } }, /^"model-00001-of-00002.safetensors" came damaged/],
  ])('%s', async (_, faults, sentence) => {
    const model = await look();
    hub.faults = faults;
    await expect(downloadModel(model, store, request)).rejects.toThrow(sentence);
    expect((await keptModels(store)).map(({ digest }) => digest)).toEqual([null]);
  });

  test('a full disk, before and while it is written', async () => {
    const full: FileStore = { ...store, freeBytes: async () => 1000 };
    await expect(downloadModel(await look(), full, request)).rejects.toThrow(
      /^There is no space for "tiny\/qwen3": .* are to be fetched, and 1 kB are free/,
    );
    const sudden: FileStore = {
      ...store,
      part: async (...place) => ({
        ...(await store.part(...place)),
        append: async () => Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' })),
      }),
    };
    await expect(downloadModel(await look(), sudden, request)).rejects.toThrow(/^There is no space for "config.json"/);
  });

  test.each(['qwen3', 'a/b/c', '../x', 'a/..', 'tiny/qwen3@', 'tiny/qwen3@../x', 'a--b/c', 'https://x/y', 'a/b.git'])(
    'the name %s',
    (name) => {
      expect(() => parseRepository(name)).toThrow(/is no name of a model on a hub/);
    },
  );

  test('an address that is none', async () => {
    await expect(findOnHub('file:///etc', parseRepository(hubModel), request)).rejects.toThrow(
      /is no address of a hub/,
    );
  });
});
