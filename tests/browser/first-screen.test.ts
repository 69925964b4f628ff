/** What the Lab shows before its trainer is there, and without the list of what it offers. */
import type { Route } from '@playwright/test';
import { expect, test } from 'vitest';
import { openPage } from '../helpers/browser';
import { button, longMs, patienceMs, untilStatus } from '../helpers/lab';

test(
  'setup and recorded run are there before the trainer, and a setting changed then counts',
  { timeout: longMs },
  async () => {
    let waiting: Route | undefined;
    const page = await openPage({
      reducedMotion: 'reduce',
      before: (empty) => empty.route(/trainer\.worker/, (route) => void (waiting = route)),
    });
    const rate = page.getByLabel('Learning rate', { exact: true }).first();
    await rate.waitFor({ timeout: patienceMs });
    await page.locator('figure[aria-label^="Success"]:not([aria-label*="no data"])').first().waitFor();
    await rate.fill('0.001');
    await rate.press('Tab');
    await expect.poll(() => waiting !== undefined).toBe(true);
    await waiting!.continue();
    await untilStatus(page, /^Ready/);
    await expect.poll(() => page.url(), { timeout: patienceMs }).toMatch(/#\/lab\?v=/);
    expect(await rate.inputValue()).toBe('0.001');
  },
);

test('a list that cannot be loaded is told, and asked for again', { timeout: longMs }, async () => {
  let broken = true;
  const page = await openPage({
    attacked: true,
    before: (empty) => empty.route(/catalog.*\.json/, (route) => (broken ? route.abort() : route.continue())),
  });
  await page.getByText('The list of worlds and settings could not be loaded.').waitFor({ timeout: patienceMs });
  broken = false;
  await button(page, 'Try again').click();
  await untilStatus(page, /^Ready/);
});
