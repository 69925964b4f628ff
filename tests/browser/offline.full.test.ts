/** The service worker of the built page: a second visit needs no connection, and an update waits until it may come. */
import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { openPage } from '../helpers/browser';
import { sandboxWorkers } from '../helpers/faults';
import { button, longMs, patienceMs, shortLink, stepOf, trainButton, untilReady, untilStatus } from '../helpers/lab';
import { untilKept } from '../helpers/offline';

test.each([{ headers: false }, { headers: true }])(
  'after one visit the calculator trains without a connection %o',
  async ({ headers }) => {
    const page = await openPage({ headers, hash: '#/', gpu: 'no adapter', serviceWorkers: 'allow' });
    await untilKept(page);
    await page.context().setOffline(true);
    const lab = page.url().replace(/#.*/, '#/lab?v=1&preset=calculator-mini&device=cpu');
    // The worker does not claim an isolated page on its first visit, and a new hash alone is no second visit.
    await page.goto('about:blank');
    await page.goto(lab);
    await untilReady(page);
    await button(page, 'Iterate').click();
    await untilStatus(page, /Paused/, longMs);
    // The frame of the sandbox is of another origin: no service worker, and nothing to register one with.
    const [sandbox] = sandboxWorkers(page);
    expect(await sandbox.evaluate('self.origin')).toBe('null');
    expect(await sandbox.evaluate('self.navigator.serviceWorker === undefined')).toBe(true);
  },
  2 * longMs,
);

test(
  'a new version interrupts no run and takes no files from another tab',
  async () => {
    // Only an address that the page made can be registered; here the test stands in for the host's newer file.
    const options = { gpu: 'no adapter', serviceWorkers: 'allow', bypassCSP: true } as const;
    const page = await openPage({ ...options, hash: shortLink({ device: 'cpu', steps: 10_000 }) });
    await untilKept(page);
    const other = await page.context().newPage();
    await other.goto(page.url().replace(/#.*/, ''));
    const notice = (tab: Page) => tab.getByRole('note').filter({ hasText: 'A new version is ready' });

    await untilReady(page);
    await trainButton(page).click();
    await untilStatus(page, /iteration [1-9]/);
    await page.evaluate(() => navigator.serviceWorker.register('sw.js?newer'));
    await notice(other).waitFor();
    expect(await notice(page).count()).toBe(0);
    await button(page, 'Pause').click();
    await untilStatus(page, /Paused/);
    // A pause within an update cannot save the run, so a reload would lose something. An iteration ends in a save.
    const before = await stepOf(page);
    await button(page, 'Iterate').click();
    await expect.poll(() => stepOf(page), { timeout: patienceMs }).toBeGreaterThan(before);
    await untilStatus(page, /Paused/);
    await notice(page).getByRole('button', { name: 'Reload' }).click();
    await notice(page).getByText('Close the other tabs').waitFor();
    expect(await scriptOf(page)).toMatch(/sw\.js$/);

    await other.close();
    await expect.poll(() => tabsOf(page), { timeout: patienceMs }).toBe(1);
    const reloaded = page.waitForEvent('load');
    await notice(page).getByRole('button', { name: 'Reload' }).click();
    await reloaded;
    expect(await scriptOf(page)).toMatch(/sw\.js\?newer$/);
  },
  2 * longMs,
);

const scriptOf = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => navigator.serviceWorker.controller?.scriptURL);

/** Tabs of the page in this browser, by the lock that each holds until the browser has closed it. */
const tabsOf = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const { held = [] } = await navigator.locks.query();
    return held.filter(({ name }) => name === 'agentlet page').length;
  });
