/**
 * What the Lab shows first: how much of it, what is there before its trainer is, and what stands there without the list
 * of what it offers.
 */
import type { Route } from '@playwright/test';
import { expect, test } from 'vitest';
import { openPage } from '../helpers/browser';
import { firstScreen } from '../helpers/first-screen';
import { button, longMs, patienceMs, untilReady, untilStatus } from '../helpers/lab';

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

test.each([
  { width: 1440, height: 900 },
  { width: 360, height: 780 },
])('the first screen has few words and few controls, $width px wide', { timeout: longMs }, async (viewport) => {
  for (const preset of ['calculator', 'sokoban', 'multi-hop']) {
    const page = await openPage({ viewport, reducedMotion: 'reduce', hash: `#/lab?v=1&preset=${preset}` });
    await untilReady(page);
    await page.locator('.answers article').first().waitFor();
    // The reader's drawing comes last; on a phone it is further down.
    if (viewport.width > 719) await page.getByRole('button', { name: /PNG/ }).waitFor({ timeout: patienceMs });
    const header = await page.getByRole('banner').boundingBox();
    expect(header!.height, 'the header has one row').toBeLessThan(64);
    const { words, controls } = await firstScreen(page);
    // Neither a page that is empty nor one that is full.
    expect(words.length, words.join(' ')).toBeGreaterThan(40);
    expect(words.length, words.join(' ')).toBeLessThanOrEqual(300);
    expect(controls.length, controls.join(' | ')).toBeGreaterThan(5);
    expect(controls.length, controls.join(' | ')).toBeLessThanOrEqual(40);
    await page.context().close();
  }
});

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
