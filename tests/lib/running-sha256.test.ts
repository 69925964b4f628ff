import { expect, test } from 'vitest';
import { bits, Purpose } from '../../src/lib/rng';
import { RunningSha256 } from '../../src/lib/running-sha256';
import { sha256 } from '../../src/lib/sha256';

const bytes = Uint8Array.from({ length: 400 }, (_, i) => bits(1, Purpose.task, i));

test('pieces of any size give the digest of the whole', async () => {
  for (const length of [0, 1, 55, 56, 63, 64, 65, 119, 120, 128, 400]) {
    const whole = bytes.slice(0, length);
    const expected = await sha256(whole);
    for (const piece of [1, 7, 64, 400]) {
      const digest = new RunningSha256();
      for (let at = 0; at < length; at += piece) digest.update(whole.subarray(at, at + piece));
      expect(digest.hex()).toBe(expected);
    }
  }
});
