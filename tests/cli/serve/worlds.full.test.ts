/** Every built-in world, served: what an agent reads and what it gets are those of the page under the hermes format. */
import { expect, test } from 'vitest';
import { compare } from './equal-to-tool-env';
import { errs, oracle, random, worlds } from './expected';
import { serve } from './served';

test.each(worlds)(
  '%s: the oracle, chance and errors',
  async (world) => {
    const served = await serve(world);
    let texts = 0;
    for (const [replica, script] of [oracle, random, errs].entries())
      for (const { name } of served.world.splits)
        texts += await compare(served, { split: name, count: 4, script, replica });
    expect(texts).toBeGreaterThan(40);
    expect(served.faults).toEqual([]);
    await served.close();
  },
  240_000,
);
