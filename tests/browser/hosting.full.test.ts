/**
 * The page on hosts that send no headers, where its service worker isolates every visit but the first, so that the CPU
 * device has threads; on hosts that send them; and in a browser without service workers.
 */
import type { Page } from '@playwright/test';
import { expect, inject, test } from 'vitest';
import { openPage } from '../helpers/browser';
import { longMs } from '../helpers/lab';
import { cpuLink, expectThreadsOnSecondVisit, expectTraining } from '../helpers/visits';

test('the second visit has threads, with and without a connection', { timeout: 2 * longMs }, async () => {
  expect.hasAssertions();
  await expectThreadsOnSecondVisit(inject('siteUrl'), false);
});

test('the second visit has threads where _headers is read', { timeout: 2 * longMs }, async () => {
  expect.hasAssertions();
  await expectThreadsOnSecondVisit(inject('siteWithHeadersUrl'), false);
});

test('every visit has threads where the host sends COOP and COEP', { timeout: 2 * longMs }, async () => {
  expect.hasAssertions();
  await expectThreadsOnSecondVisit(inject('siteIsolatedUrl'), true);
});

test('a browser without a service worker trains on one thread', { timeout: longMs }, async () => {
  const page = await openPage({ hash: cpuLink, gpu: 'no adapter', before: withoutServiceWorkers });
  await expectTraining(page, false);
  await page.reload();
  await expectTraining(page, false);
});

/** As in a private window of some browsers. */
const withoutServiceWorkers = (page: Page) =>
  page.addInitScript(() => delete (Navigator.prototype as { serviceWorker?: unknown }).serviceWorker);
