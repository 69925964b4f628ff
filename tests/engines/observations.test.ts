/** Node gives what was observed in every engine when observations.json was written (`npm run engines`), for the engine of the same digest. */
import { createHash } from 'node:crypto';
import { expect, test } from 'vitest';
import { meterQuickJs } from '../../src/cli/quickjs';
import { readCorpus } from '../attacks/corpus';
import { observeAll } from './observe-all';
import committed from './observations.json';

const again = 'run npm run engines and commit tests/engines/observations.json';

test('the engines agreed, on this engine and on these items', async () => {
  expect(committed.allEqual).toBe(true);
  expect(committed.engines).toEqual([
    expect.stringMatching(/^Node/),
    expect.stringMatching(/^Chromium/),
    expect.stringMatching(/^Firefox/),
  ]);
  const sha256 = createHash('sha256')
    .update(await meterQuickJs())
    .digest('hex');
  expect(committed.sha256, `the engine is another: ${again}`).toBe(sha256);
});

test('every tool item of the corpus gives the same text and the same fuel as then', async () => {
  const items = readCorpus({ ours: true }).filter((item) => item.class !== 'share-link');
  const observed = await observeAll(await WebAssembly.compile(await meterQuickJs()), items);
  expect(observed, `the corpus or the sandbox has changed: ${again}`).toEqual(committed.observations);
});
