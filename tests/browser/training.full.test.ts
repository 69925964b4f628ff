/** A run in every state: accessible, and with the same bits whether it is stepped, reset or trained. */
import { expect, test } from 'vitest';
import { expectAccessible, expectAccessibleEverywhere, openPage } from '../helpers/browser';
import {
  button,
  longMs,
  openChat,
  openShare,
  patienceMs,
  sharedFingerprint,
  shortLink,
  stepOf,
  trainButton,
  untilReady,
  untilStatus,
} from '../helpers/lab';

test(
  'Step runs exactly one iteration, and Reset then Train gives its very bits again',
  { timeout: 2 * longMs },
  async () => {
    const page = await openPage({ hash: shortLink({ steps: 4 }) });
    await untilReady(page);
    await button(page, 'Iterate').click();
    await untilStatus(page, /^Paused · iteration 1\/4/);
    await page.waitForTimeout(1500);
    expect(await stepOf(page)).toBe(1);
    const first = await sharedFingerprint(page);
    expect(first).toHaveLength(1);
    await button(page, 'Iterate').click();
    await untilStatus(page, /^Paused · iteration 2\/4/);
    const stepped = await sharedFingerprint(page);
    expect(stepped).toEqual([first[0], expect.stringMatching(/^[0-9a-f]{16}$/)]);

    await button(page, 'Reset').click();
    await untilStatus(page, /^Ready · iteration 0\/4/);
    await trainButton(page).click();
    await untilStatus(page, /^Finished · iteration 4\/4/);
    expect((await sharedFingerprint(page)).slice(0, 2)).toEqual(stepped);
  },
);

test('every state of a run is accessible, the author’s and a colleague’s', { timeout: 4 * longMs }, async () => {
  const page = await openPage({ hash: shortLink({ steps: 16 }) });
  await untilReady(page);
  await expectAccessibleEverywhere(page, 'a link without a curve is open');
  await trainButton(page).click();
  await untilStatus(page, /Compiling|Copying/);
  await expectAccessible(page, 'preparing');
  // While the page was looked at, a fast machine may have trained to the end.
  await button(page, 'Reset').click();
  await untilStatus(page, /^Ready · iteration 0\/16/);
  await button(page, 'Iterate').click();
  await untilStatus(page, /^Paused · iteration 1\/16/);
  await expectAccessibleEverywhere(page, 'paused');
  await (await openChat(page)).fill('3+4');
  await page.keyboard.press('Enter');
  const log = page.getByRole('log', { name: 'Chat' });
  await expect.poll(() => log.innerText(), { timeout: patienceMs }).toMatch(/Agent, iteration \d+/);
  await expect.poll(() => log.innerText(), { timeout: patienceMs }).not.toMatch(/answering…/);
  await expectAccessible(page, 'the agent has answered');
  await trainButton(page).click();
  await untilStatus(page, /^Finished/);
  const link = await openShare(page);
  await expectAccessibleEverywhere(page, 'the share dialog is open');

  const visitor = await openPage({ hash: new URL(link).hash });
  await untilReady(visitor);
  await expectAccessibleEverywhere(visitor, 'an author’s link is open');
  await button(visitor, 'Run it here').click();
  await untilStatus(visitor, /^Finished/);
  await visitor.getByText(/^Same run: the first \d+ iterations match bit for bit/).waitFor({ timeout: patienceMs });
  await expectAccessible(visitor, 'reproduced');
});
