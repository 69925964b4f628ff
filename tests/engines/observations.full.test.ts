/** Node gives what was observed in every engine when observations.json was written (`npm run engines`). */
import { expect, test } from 'vitest';
import { meterQuickJs } from '../../src/cli/quickjs';
import { readCorpus } from '../attacks/corpus';
import committed from '../programs/engines/observations.json';
import { guestDigest, observeAll, sha256 } from '../programs/engines/observe-all';

const again = 'run npm run engines and commit tests/programs/engines/observations.json';

test('Node, Chromium and Firefox agreed on this engine', async () => {
  expect(committed.allEqual).toBe(true);
  expect(committed.engines).toEqual([
    expect.stringMatching(/^Node/),
    expect.stringMatching(/^Chromium/),
    expect.stringMatching(/^Firefox/),
  ]);
  expect(await sha256(await meterQuickJs()), `the engine is another: ${again}`).toBe(committed.sha256.engine);
});

test('every tool item of the corpus gives the same text and the same fuel as then', async ({ skip }) => {
  // Fuel counts the SDK's and the dispatcher's work, too.
  if ((await guestDigest()) !== committed.sha256.guest) skip(`our own code in the guest has changed since: ${again}`);
  const items = readCorpus({ ours: true }).filter((item) => item.class !== 'share-link');
  const observed = await observeAll(await WebAssembly.compile(await meterQuickJs()), items);
  expect(observed, `the corpus has changed: ${again}`).toEqual(committed.observations);
});
