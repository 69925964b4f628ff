/** Waiting for the service worker of the built page. */
import type { Page } from '@playwright/test';

/** Resolves once the service worker has stored the whole site and, unless the page is isolated, serves the page. */
export const untilKept = (page: Page): Promise<void> =>
  page.evaluate(async () => {
    const { serviceWorker: workers } = navigator;
    const { active } = await workers.ready;
    while (active?.state !== 'activated' || !(workers.controller || crossOriginIsolated))
      await new Promise((soon) => setTimeout(soon, 50));
  });
