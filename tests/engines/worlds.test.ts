/** Worlds are as Node, Chromium and Firefox saw them when observations.json was written (`npm run engines`). */
import { expect, test } from 'vitest';
import { meterQuickJs } from '../../src/cli/quickjs';
import committed from '../programs/engines/observations.json';
import { observeWorlds } from '../programs/engines/observe-all';

test('tasks and demonstrations of every world are the bits that the three engines agreed on', async () => {
  const worlds = await observeWorlds(await WebAssembly.compile(await meterQuickJs()));
  const again = 'a world has changed: run npm run engines and commit tests/programs/engines/observations.json';
  expect(worlds, again).toEqual(committed.worlds);
});
