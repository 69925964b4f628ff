/**
 * The page on a host that sends no headers: its service worker isolates every visit but the first, so that the CPU
 * device has threads.
 */
import { expect, inject, test } from 'vitest';
import { longMs } from '../helpers/lab';
import { expectThreadsOnSecondVisit } from '../helpers/visits';

test('the second visit has threads, with and without a connection', { timeout: 2 * longMs }, async () => {
  expect.hasAssertions();
  await expectThreadsOnSecondVisit(inject('siteUrl'), false);
});
