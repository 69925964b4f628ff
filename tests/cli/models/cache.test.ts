/** The digest of a large model is read again, and not computed, as long as no file of it has changed. */
import { mkdtempSync, readdirSync, rmSync, truncateSync, utimesSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { digestOfFolder } from '../../../src/cli/models/cache';
import type { ByteSource } from '../../../src/lib/byte-source';
import { pretrainedDigest } from '../../../src/model/pretrained-digest';
import { filesIn } from '../../helpers/pretrained';
import { writeTinyPretrained } from '../../helpers/tiny-pretrained';

const scratch = mkdtempSync(join(tmpdir(), 'agentlet-cache-'));
const model = writeTinyPretrained(join(scratch, 'model'));
const shard = join(model, 'model-00002-of-00002.safetensors');
const before = process.env.XDG_CACHE_HOME;
beforeAll(() => void (process.env.XDG_CACHE_HOME = join(scratch, 'cache')));
afterAll(() => {
  if (before === undefined) delete process.env.XDG_CACHE_HOME;
  else process.env.XDG_CACHE_HOME = before;
  rmSync(scratch, { recursive: true, force: true });
});

/** Its digest, and how many bytes of weights were read for it. */
async function digested(atLeast?: number) {
  let bytes = 0;
  const counted = ({ size, read }: ByteSource): ByteSource => ({
    size,
    read: (offset, length) => {
      bytes += length;
      return read(offset, length);
    },
  });
  const files = filesIn(model);
  const watched = new Map([...files].map(([name, file]) => [name, name.endsWith('s') ? counted(file) : file]));
  return { digest: await digestOfFolder(model, watched, atLeast), bytes, right: await pretrainedDigest(files) };
}

test('it is computed once, and again after a change of size or time', async () => {
  const first = await digested(0);
  expect(first.bytes).toBeGreaterThan(0);
  expect(first.digest).toBe(first.right);
  expect(await digested(0)).toMatchObject({ digest: first.right, bytes: 0 });
  utimesSync(shard, 1, 1);
  expect((await digested(0)).bytes).toBe(first.bytes);
  expect((await digested(0)).bytes).toBe(0);
  truncateSync(shard, 100);
  const cut = await digested(0);
  expect(cut.digest).toBe(cut.right);
  expect(cut.digest).not.toBe(first.digest);
});

test('a note that cannot be read is none, and small models have none', async () => {
  const notes = join(scratch, 'cache/agentlet/digests');
  const [note] = readdirSync(notes);
  writeFileSync(join(notes, note), '{"digest":"../..","times":[]}');
  const { digest, right, bytes } = await digested(0);
  expect(digest).toBe(right);
  expect(bytes).toBeGreaterThan(0);
  rmSync(notes, { recursive: true });
  await digested();
  expect(readdirSync(join(scratch, 'cache/agentlet'))).toEqual([]);
});
