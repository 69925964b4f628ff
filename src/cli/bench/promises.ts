/**
 * Promises of time in the built page in headless Chromium: how soon a run pauses, and how soon it makes its next
 * iteration after the browser's GPU process has crashed.
 */
import type { Browser, Page } from '@playwright/test';
import { withBuiltPage } from './built-page';

export const promisedMs = { pause: 300, recovery: 5_000 } as const;

/** Milliseconds by the name of the promise. */
export type PromiseTimes = Readonly<Record<keyof typeof promisedMs, number>>;

/** A run on the GPU that outlives the measurement: what is promised is that it survives the loss of its device. */
const link = '#/lab?v=1&preset=calculator-mini&device=gpu&steps=10000&layers=1&width=64&warm=30&tasks=8&group=4';
/** Longer than anything here takes on a machine that has other work. */
const recoveryTimeoutMs = 300_000;

/** @param launch starts a browser */
export const benchPromises = (root: string, launch: () => Promise<Browser>): Promise<PromiseTimes> =>
  withBuiltPage(root, async (url) => {
    const browser = await launch();
    try {
      const page = await browser.newPage();
      await page.goto(url + link);
      await press(page, 'Train');
      await untilStatus(page, (status) => iterationIn(status) >= 2);
      const startMs = performance.now();
      await press(page, 'Pause');
      await untilStatus(page, (status) => /^Paused/.test(status));
      const pause = performance.now() - startMs;
      await press(page, 'Train');
      await untilStatus(page, (status) => /^RL iteration/.test(status));
      return { pause, recovery: await recoveryOf(browser, page) };
    } finally {
      await browser.close();
    }
  });

async function recoveryOf(browser: Browser, page: Page): Promise<number> {
  const session = await browser.newBrowserCDPSession();
  const startMs = performance.now();
  // A process that died does not answer.
  void session.send('Browser.crashGpuProcess').catch(() => undefined);
  await page.getByText('The graphics device was lost').first().waitFor({ timeout: recoveryTimeoutMs });
  const restored = iterationIn(await statusOf(page));
  await untilStatus(page, (status) => /^RL iteration/.test(status) && iterationIn(status) > restored);
  return performance.now() - startMs;
}

const press = (page: Page, name: string): Promise<void> =>
  page
    .locator('button[aria-disabled=false], button:not([aria-disabled])', { hasText: new RegExp(`^\\s*${name}\\s*$`) })
    .click();

const statusOf = async (page: Page): Promise<string> => (await page.getByRole('status').textContent()) ?? '';
const iterationIn = (status: string): number => Number(/iteration (\d+)\//.exec(status)?.[1]);

/** Polls from outside, since the page's policy lets no text become code. */
async function untilStatus(page: Page, isReached: (status: string) => boolean): Promise<void> {
  const endMs = performance.now() + recoveryTimeoutMs;
  while (!isReached(await statusOf(page))) {
    if (performance.now() > endMs) throw new Error(`The status line still reads “${await statusOf(page)}”.`);
    await page.waitForTimeout(5);
  }
}
