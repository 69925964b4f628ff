/** The keyboard alone works the page. */
import { expect, test } from 'vitest';
import { expectAccessible, openPage } from '../helpers/browser';
import { longMs, shortLink, statusOf, untilReady, untilStatus } from '../helpers/lab';

test(
  'the keyboard alone: Tab to Train, Space, the single keys, and none of them while one types',
  { timeout: longMs },
  async () => {
    const page = await openPage({ hash: shortLink({ steps: 3 }) });
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
    await untilStatus(page, /^Ready · iteration 0\/3/);
    await page.keyboard.press('.');
    await untilStatus(page, /^Paused · iteration 1\/3/);
    await page.keyboard.press('Shift+?');
    await page.getByRole('dialog', { name: 'Keyboard' }).waitFor();
    await expectAccessible(page, 'the list of keys is open');
  },
);
