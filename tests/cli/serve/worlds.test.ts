/** Some worlds, served, as `worlds.full.test.ts` plays them all: with a chance of its own, an opening, and images. */
import { expect, test } from 'vitest';
import { compare } from './equal-to-tool-env';
import { errs, oracle, random } from './expected';
import { serve } from './served';

test.each(['bandit', 'frozen-lake', 'pixels'])('%s answers as ToolEnv does', async (world) => {
  const served = await serve(world);
  let texts = 0;
  for (const [replica, script] of [oracle, random, errs].entries())
    texts += await compare(served, { split: 'train', count: 2, script, replica });
  expect(texts).toBeGreaterThan(8);
  expect(served.faults).toEqual([]);
  await served.close();
});
