/** Waiting for the service worker of the built page. */
import type { Page } from '@playwright/test';

/** Resolves once the page is served by its service worker, which has then stored the whole site. */
export const untilKept = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    await navigator.serviceWorker.ready;
    while (navigator.serviceWorker.controller?.state !== 'activated') await new Promise((soon) => setTimeout(soon, 50));
  });
