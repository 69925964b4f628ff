/**
 * Links of strangers, made at random: opening one never throws, always gives a valid config, soon; a link of ours says
 * what it was made from.
 */
import { expect, test } from 'vitest';
import { configProblems } from '../../src/config/config';
import { openRunLink, runLink } from '../../src/config/run-link';
import { hostileLink, randomRun } from './link-maker';
import { Choices, fullFuzz } from './random';

const hostileCount = fullFuzz ? 10_000 : 500;
const validCount = fullFuzz ? 2000 : 100;
/** For a quiet machine; three times that is allowed, since those that run tests are shared. */
const openMs = 200;

test(
  `${hostileCount} hostile links open in time, with a valid config and few sentences`,
  { timeout: 900_000 },
  async () => {
    const prototypeBefore = Object.getOwnPropertyNames(Object.prototype);
    const packed = { taken: 0, refused: 0 };
    for (let seed = 0; seed < hostileCount; seed++) {
      const link = await hostileLink(new Choices(seed));
      const startMs = performance.now();
      const opened = await openRunLink(link);
      const tookMs = performance.now() - startMs;
      const context = `link ${seed}: ${link.slice(0, 200)}`;
      expect(configProblems(opened.config), context).toEqual([]);
      expect(tookMs, context).toBeLessThan(3 * openMs);
      expect(opened.notices.length, context).toBeLessThanOrEqual(13);
      expect(new Set(opened.notices).size, context).toBe(opened.notices.length);
      expect(opened.notices.join('').isWellFormed(), context).toBe(true);
      if (opened.problem?.includes('packed part')) packed.refused++;
      else if (opened.config.environment.source !== undefined || opened.validation !== null) packed.taken++;
      if (opened.curve !== null)
        expect(
          opened.curve.every((share) => share >= 0 && share <= 1),
          context,
        ).toBe(true);
    }
    expect(Object.getOwnPropertyNames(Object.prototype)).toEqual(prototypeBefore);
    // A fuzzer whose links all fail at the door, or none, looks at half of the reader.
    expect(Math.min(packed.taken, packed.refused)).toBeGreaterThan(hostileCount / 20);
  },
);

test(`${validCount} valid links are read back as they were written`, { timeout: 300_000 }, async () => {
  for (let seed = 0; seed < validCount; seed++) {
    const { config, run } = randomRun(new Choices(-1 - seed));
    const opened = await openRunLink(await runLink(config, run));
    const context = `run ${seed}`;
    expect([opened.problem, ...opened.notices], context).toEqual([null]);
    expect(opened.config, context).toEqual(run?.device === 'cpu' ? { ...config, device: 'cpu' } : config);
    const { fingerprint, adapter, validation } = opened;
    const nothing = { fingerprint: null, adapter: null, validation: null };
    const shown = run && { fingerprint: run.fingerprint, adapter: run.adapter, validation: run.validation };
    expect({ fingerprint, adapter, validation }, context).toEqual(shown ?? nothing);
  }
});
