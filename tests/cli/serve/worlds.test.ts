/** Some worlds, served, as `worlds.full.test.ts` plays them all: with a chance of its own, an opening, and images. */
import { expect, test } from 'vitest';
import { compare, errs, oracle, random } from './equal-to-tool-env';
import { serve } from './served';

test.each(['bandit', 'frozen-lake', 'pixels'])('%s answers as ToolEnv does', async (world) => {
  const served = await serve(world);
  let texts = 0;
  for (const script of [oracle, random, errs]) texts += await compare(served, script, 2);
  expect(texts).toBeGreaterThan(8);
  expect(served.faults).toEqual([]);
  await served.close();
});
