/** The page of `npm start` and of `npm run preview`, as a newcomer without a GPU meets it. */
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { createServer, preview } from 'vite';
import { expect, inject, onTestFinished, test } from 'vitest';
import { maxThreads } from '../../src/device/wasm/wasm-device';
import { openPage } from '../helpers/browser';
import { sandboxWorkers, trainerWorker } from '../helpers/faults';
import { longMs, shortLink, trainButton, untilReady, untilStatus } from '../helpers/lab';

const root = join(import.meta.dirname, '../..');

test('the development page is isolated and trains on more than one thread', { timeout: longMs }, async () => {
  const server = await createServer({ root, logLevel: 'error', server: { port: 0, open: false, watch: null } });
  onTestFinished(() => server.close());
  await server.listen();
  await expectTraining(server.resolvedUrls!.local[0]);
});

test('the previewed page is isolated and trains on more than one thread', { timeout: longMs }, async () => {
  const outDir = inject('siteFolder');
  const server = await preview({ root, logLevel: 'error', build: { outDir }, preview: { port: 0, open: false } });
  onTestFinished(() => server.close());
  await expectTraining(server.resolvedUrls!.local[0]);
});

async function expectTraining(site: string): Promise<void> {
  const page = await openPage({ site, hash: shortLink({ steps: 2 }), gpu: 'no adapter', before: remembering });
  await untilReady(page);
  expect(await page.evaluate('crossOriginIsolated')).toBe(true);
  await trainButton(page).click();
  await untilStatus(page, /^Finished/);
  const [sandbox] = sandboxWorkers(page);
  expect(await sandbox.evaluate('self.origin')).toBe('null');
  const threads = `performance
    .getEntriesByType('resource')
    .filter(({ name, initiatorType }) => name.includes('cpu-thread.worker') && initiatorType === 'other').length`;
  const started = await trainerWorker(page).evaluate<number>(threads);
  expect(started, 'threads beside the trainer').toBe(Math.min(availableParallelism(), maxThreads) - 1);
}

/**
 * The development server compiles each module when the page asks for it, and a worker asks for more of them than it
 * remembers as a rule.
 */
const remembering = async (page: Page) => {
  page.setDefaultNavigationTimeout(longMs);
  page.on('worker', (worker) => {
    if (worker.url().endsWith('#trainer')) void worker.evaluate('performance.setResourceTimingBufferSize(5000)');
  });
};
