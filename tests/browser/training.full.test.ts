/** Step, Reset and Train give the same bits in any order. */
import { expect, test } from 'vitest';
import { openPage } from '../helpers/browser';
import { button, longMs, sharedFingerprint, shortLink, stepOf, untilReady, untilStatus } from '../helpers/lab';

test(
  'Step runs exactly one iteration, and Reset then Train gives its very bits again',
  { timeout: 2 * longMs },
  async () => {
    const page = await openPage({ hash: shortLink({ steps: 4 }) });
    await untilReady(page);
    await button(page, 'Step').click();
    await untilStatus(page, /^Paused · step 1\/4/);
    await page.waitForTimeout(1500);
    expect(await stepOf(page)).toBe(1);
    const first = await sharedFingerprint(page);
    expect(first).toHaveLength(1);
    await button(page, 'Step').click();
    await untilStatus(page, /^Paused · step 2\/4/);
    const stepped = await sharedFingerprint(page);
    expect(stepped).toEqual([first[0], expect.stringMatching(/^[0-9a-f]{16}$/)]);

    await button(page, 'Reset').click();
    await untilStatus(page, /^Ready · step 0\/4/);
    await button(page, 'Train').click();
    await untilStatus(page, /^Finished · step 4\/4/);
    expect((await sharedFingerprint(page)).slice(0, 2)).toEqual(stepped);
  },
);
