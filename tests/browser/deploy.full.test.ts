/** A newer version comes to the host while a page is open: no page mixes two, and the page offers a reload. */
import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { openPage } from '../helpers/browser';
import { deployedSite, newerVersion } from '../helpers/deploy';
import { longMs, patienceMs } from '../helpers/lab';

test('a deploy before the first page has its service worker', { timeout: longMs }, async () => {
  const { url, deploy } = await deployedSite();
  // The files that are gone answer 404.
  const attacked = true;
  const page = await openPage({ site: url, hash: '#/', serviceWorkers: 'allow', attacked, before: holdRest });
  await page.getByRole('heading', { level: 1 }).first().waitFor({ timeout: patienceMs });
  const version = await versionOf(page);
  expect(version).toMatch(/^\w{16}$/);
  expect(version).not.toBe(newerVersion);
  deploy();
  await page.evaluate('rest()');
  const notice = page.getByRole('note').filter({ hasText: 'A new version is ready' });
  await notice.waitFor({ timeout: patienceMs });
  await page.evaluate(async () => {
    const { active } = await navigator.serviceWorker.ready;
    while (active?.state !== 'activated') await new Promise((soon) => setTimeout(soon, 50));
  });
  expect(await page.evaluate(() => navigator.serviceWorker.controller), 'the new worker leaves it alone').toBeNull();
  expect(await versionOf(page), 'it does not reload by itself').toBe(version);

  const reloaded = page.waitForEvent('load');
  await notice.getByRole('button', { name: 'Reload' }).click();
  await reloaded;
  expect(await versionOf(page)).toBe(newerVersion);
  expect(await page.evaluate(() => navigator.serviceWorker.controller !== null)).toBe(true);
  await page.getByRole('link', { name: 'Learn' }).click();
  await page.locator('main h1').waitFor({ timeout: patienceMs });
  expect(await page.getByRole('alert').count()).toBe(0);
});

test('a part that is gone since a deploy offers a reload; without a connection nothing does', async () => {
  const { url, deploy } = await deployedSite();
  const page = await openPage({ site: url, hash: '#/', attacked: true });
  await page.getByRole('heading', { level: 1 }).first().waitFor({ timeout: patienceMs });
  await page.waitForLoadState('networkidle');
  await page.context().setOffline(true);
  await page.getByRole('link', { name: 'Runs' }).click();
  const alert = page.getByRole('main').getByRole('alert');
  await alert.getByText('Is the connection gone?').waitFor({ timeout: patienceMs });
  expect(await alert.getByRole('button').count()).toBe(0);

  await page.context().setOffline(false);
  deploy();
  await page.keyboard.press('Control+k');
  await page.getByText('the site has a newer version').waitFor({ timeout: patienceMs });
  await page.getByRole('button', { name: 'Reload' }).waitFor();
  await page.getByRole('link', { name: 'Learn' }).click();
  await alert.getByText('the site has a newer version').first().waitFor({ timeout: patienceMs });
  // The palette's sentence may still stand beside the page's.
  await Promise.all([page.waitForEvent('load'), alert.getByRole('button', { name: 'Reload' }).first().click()]);
  expect(await versionOf(page)).toBe(newerVersion);
  await page.locator('main h1').waitFor({ timeout: patienceMs });
});

/** The page waits with its service worker until the test calls `rest`. */
const holdRest = (page: Page) =>
  page.addInitScript(() => {
    let rest = () => {};
    window.requestIdleCallback = (come) => {
      rest = () => come({ didTimeout: false, timeRemaining: () => 50 });
      return 0;
    };
    Object.assign(window, { rest: () => rest() });
  });

const versionOf = (page: Page) =>
  page.evaluate(() => document.querySelector('meta[name="version"]')?.getAttribute('content'));
