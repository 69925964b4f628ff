/** Visits of the built page on a host, of which each is isolated or not. */
import { availableParallelism } from 'node:os';
import type { Page } from '@playwright/test';
import { expect } from 'vitest';
import { openPage } from './browser';
import { sandboxWorkers } from './faults';
import { button, longMs, patienceMs, shortLink, untilReady, untilStatus } from './lab';
import { untilKept } from './offline';

/** Trains on the first visit, on the second and without a connection. @param isolated whether the first visit is */
export async function expectThreadsOnSecondVisit(site: string, isolated: boolean): Promise<void> {
  const page = await openPage({ site, hash: cpuLink, gpu: 'no adapter', serviceWorkers: 'allow' });
  let loads = 0;
  page.on('load', () => loads++);
  await untilKept(page);
  const claimed = await page.evaluate(() => navigator.serviceWorker.controller !== null);
  expect(claimed, 'Firefox would fail every request of a claimed tab that is isolated').toBe(!isolated);
  // A worker that the service worker answers starts in a page that is not isolated, too.
  await expectTraining(page, isolated);
  expect(loads, 'the page does not reload by itself').toBe(0);
  await page.reload();
  await expectTraining(page, true);
  await page.context().setOffline(true);
  await page.reload();
  await expectTraining(page, true);
}

export const cpuLink = shortLink({ device: 'cpu', steps: 1000 });

/** Trains a step, and starts over. */
export async function expectTraining(page: Page, isolated: boolean): Promise<void> {
  await untilReady(page);
  expect(await page.evaluate(() => crossOriginIsolated)).toBe(isolated);
  await button(page, 'Iterate').click();
  await untilStatus(page, /Paused/, longMs);
  const threads = page.workers().filter((worker) => worker.url().includes('cpu-thread'));
  expect(threads.length > 0, 'the CPU device has more than one thread').toBe(isolated && availableParallelism() > 1);
  const [sandbox] = sandboxWorkers(page);
  expect(await sandbox.evaluate('self.origin')).toBe('null');
  await button(page, 'Reset').click({ timeout: patienceMs });
}
