/** Every button at the wrong moment, and the keyboard alone: nothing breaks, and the next right press works. */
import { expect, test } from 'vitest';
import { expectAccessible, openPage } from '../helpers/browser';
import { button, longMs, openShare, shortLink, statusOf, untilReady, untilStatus } from '../helpers/lab';

test(
  'before training: Share gives the setup, the chat waits, and Train pressed twice at once starts one run',
  { timeout: longMs },
  async () => {
    const page = await openPage({ hash: shortLink({ steps: 4 }) });
    await untilReady(page);
    expect(await openShare(page)).not.toContain('&x=');
    await page.keyboard.press('Escape');
    await page.getByRole('textbox', { name: 'Message the agent' }).fill('3+4');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('log').count()).toBe(0);
    expect(await button(page, 'Reset').isDisabled()).toBe(true);

    await page.evaluate(() => {
      const train = [...document.querySelectorAll('button')].find((each) => each.textContent?.trim() === 'Train')!;
      train.click();
      train.click();
    });
    await untilStatus(page, /^(Finished|Paused)/);
    // The second press may land on Pause, which has taken the place of Train by then.
    if ((await statusOf(page)).startsWith('Paused')) await button(page, 'Train').click();
    await untilStatus(page, /^Finished · step 4\/4/);
    expect(await page.getByRole('alert').count()).toBe(0);
  },
);

test(
  'the keyboard alone: Tab to Train, Space, the single keys, and none of them while one types',
  { timeout: longMs },
  async () => {
    const page = await openPage({ hash: shortLink({ warm: 30, steps: 12 }) });
    await untilReady(page);
    const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim() ?? '');
    for (let presses = 0; presses < 30 && (await focused()) !== 'Train'; presses++) await page.keyboard.press('Tab');
    expect(await focused()).toBe('Train');
    await page.keyboard.press('Space');
    await untilStatus(page, /^(Preparing|Compiling|Copying)/);
    expect(await focused(), 'what has the focus when Train has become Pause').toBe('Pause');
    await page.keyboard.press('Space');
    await untilStatus(page, /^Paused/);
    await page.keyboard.press('Space');
    await untilStatus(page, /^Finished/);
    expect(await focused()).toBe('Train again');

    await page.getByRole('heading', { level: 1 }).click();
    await page.keyboard.press('c');
    await page.keyboard.type('r.c 3+4');
    expect(await page.getByRole('textbox', { name: 'Message the agent' }).inputValue()).toBe('r.c 3+4');
    expect(await statusOf(page)).toMatch(/^Finished/);
    await page.keyboard.press('Escape');
    await page.keyboard.press('Escape');
    await page.keyboard.press('r');
    await untilStatus(page, /^Ready · step 0\/12/);
    await page.keyboard.press('.');
    await untilStatus(page, /^Paused · step 1\/12/);
    await page.keyboard.press('Shift+?');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    await expectAccessible(page, 'the list of keys is open');
  },
);
