/** Every built-in world, served: what an agent reads and what it gets are those of the page under the hermes format. */
import { expect, test } from 'vitest';
import { compare, errs, oracle, random, worlds } from './equal-to-tool-env';
import { serve } from './served';

test.each(worlds)(
  '%s: the oracle, chance and errors',
  async (world) => {
    const served = await serve(world);
    let texts = 0;
    for (const script of [oracle, random, errs])
      for (const { name } of served.world.splits) texts += await compare(served, script, 4, name);
    expect(texts).toBeGreaterThan(40);
    expect(served.faults).toEqual([]);
    await served.close();
  },
  240_000,
);
