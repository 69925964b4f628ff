import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { identicalTo, iterationDigest } from '../../src/lib/fingerprint';

const iteration = { tokens: [[1, 2], [3]], rewards: [1, 0], metrics: Float64Array.of(0.25) };

test('a digest is the start of SHA-256 over lengths, ids and values', async () => {
  const bytes = Buffer.alloc(4 * 6 + 4 + 16 + 4 + 8);
  let at = 0;
  for (const word of [2, 2, 1, 2, 1, 3, 2]) at = bytes.writeUInt32LE(word, at);
  for (const value of [1, 0]) at = bytes.writeDoubleLE(value, at);
  at = bytes.writeUInt32LE(1, at);
  at = bytes.writeDoubleLE(0.25, at);
  expect(at).toBe(bytes.length);
  expect(await iterationDigest(iteration)).toBe(createHash('sha256').update(bytes).digest('hex').slice(0, 16));
});

test('one bit anywhere changes the digest, and so does a token in another trajectory', async () => {
  const digests = await Promise.all(
    [
      iteration,
      { ...iteration, tokens: [[1, 2], [4]] },
      { ...iteration, tokens: [[1], [2, 3]] },
      { ...iteration, rewards: [1, -0] },
      { ...iteration, metrics: [0.25 + 2 ** -54] },
      { ...iteration, rewards: [1], metrics: [0, 0.25] },
    ].map(iterationDigest),
  );
  expect(new Set(digests).size).toBe(digests.length);
  expect(await iterationDigest({ ...iteration, tokens: [Uint32Array.of(1, 2), Uint32Array.of(3)] })).toBe(digests[0]);
});

test('identical up to the first difference', () => {
  expect(identicalTo(['a', 'b', 'c'], ['a', 'b', 'd'])).toBe(2);
  expect(identicalTo(['a', 'b'], ['a', 'b', 'c'])).toBe(2);
  expect(identicalTo(['a', 'b', 'c'], ['a', 'b'])).toBe(2);
  expect(identicalTo(['x', 'b'], ['a', 'b'])).toBe(0);
  expect(identicalTo([], ['a'])).toBe(0);
});
