/** The digest of a model counts what is read of its folder, and nothing else. */
import { expect, test } from 'vitest';
import { bytesInMemory } from '../../src/lib/byte-source';
import { sha256 } from '../../src/lib/sha256';
import type { Files } from '../../src/lib/stored-tensors';
import { pretrainedDigest } from '../../src/model/pretrained-digest';

const files = (texts: Readonly<Record<string, string>>): Files =>
  new Map(Object.entries(texts).map(([name, text]) => [name, bytesInMemory(new TextEncoder().encode(text))]));
const parts = { 'config.json': '{}', 'model.safetensors': 'numbers', 'tokenizer.json': '{"model":1}' };

test('it is the SHA-256 of the lines of names and digests, in the order of names', async () => {
  const bytes = (text: string) => new TextEncoder().encode(text);
  const lines = await Promise.all(
    Object.entries(parts).map(async ([name, text]) => `${name} ${await sha256(bytes(text))}\n`),
  );
  expect(await pretrainedDigest(files(parts))).toBe(await sha256(bytes(lines.join(''))));
});

test('other files do not count; another byte or another name does', async () => {
  const digest = await pretrainedDigest(files(parts));
  expect(await pretrainedDigest(files({ 'README.md': 'read me', ...parts, 'pytorch_model.bin': 'old' }))).toBe(digest);
  expect(await pretrainedDigest(files({ ...parts, 'config.json': '[]' }))).not.toBe(digest);
  expect(await pretrainedDigest(files({ ...parts, 'chat_template.jinja': '{}' }))).not.toBe(digest);
});

test('shards count by the index, and a missing one is named', async () => {
  const index = JSON.stringify({ weight_map: { a: 'one.safetensors', b: 'two.safetensors' } });
  const sharded = { ...parts, 'model.safetensors.index.json': index, 'one.safetensors': '1' };
  await expect(pretrainedDigest(files(sharded))).rejects.toThrow('The model has no file "two.safetensors".');
  const whole = await pretrainedDigest(files({ ...sharded, 'two.safetensors': '2' }));
  expect(await pretrainedDigest(files({ ...sharded, 'two.safetensors': '3' }))).not.toBe(whole);
  expect(await pretrainedDigest(files({ ...sharded, 'two.safetensors': '2', 'model.safetensors': '' }))).toBe(whole);
});
