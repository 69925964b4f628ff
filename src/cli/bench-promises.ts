/**
 * Promises of time in the built page in headless Chromium: how soon a run pauses, and how soon it makes its next
 * iteration after the browser's GPU process has crashed.
 */
import type { Browser, Page } from '@playwright/test';
import { withBuiltPage } from './built-page';

export const promisedMs = { pause: 300, recovery: 5_000 } as const;

/** Milliseconds by the name of the promise. */
export type PromiseTimes = Readonly<Record<keyof typeof promisedMs, number>>;

/** A run that outlives the measurement. */
const link = '#/lab?v=1&preset=calculator-mini&steps=10000&layers=1&width=64&warm=30&tasks=8&group=4';
/** Longer than anything here takes on a machine that has other work. */
const patienceMs = 300_000;

/** @param launch starts a browser */
export const benchPromises = (root: string, launch: () => Promise<Browser>): Promise<PromiseTimes> =>
  withBuiltPage(root, async (url) => {
    const browser = await launch();
    try {
      const page = await browser.newPage();
      await page.goto(url + link);
      await press(page, 'Train');
      await untilStatus(page, '^RL step [2-9]');
      const pause = await timeUntil(page, '^Paused', () => press(page, 'Pause'));
      await press(page, 'Train');
      await untilStatus(page, '^RL step');
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
  await page.getByText('The graphics device was lost').first().waitFor({ timeout: patienceMs });
  const restored = Number(/step (\d+)/.exec(await page.getByRole('status').innerText())?.[1]);
  await page.waitForFunction(
    `Number(/^RL step (\\d+)/.exec(document.querySelector('[role=status]').textContent)?.[1]) > ${restored}`,
    undefined,
    { timeout: patienceMs },
  );
  return performance.now() - startMs;
}

async function timeUntil(page: Page, pattern: string, act: () => Promise<void>): Promise<number> {
  const startMs = performance.now();
  await act();
  await untilStatus(page, pattern);
  return performance.now() - startMs;
}

const press = (page: Page, name: string): Promise<void> =>
  page
    .locator('button[aria-disabled=false], button:not([aria-disabled])', { hasText: new RegExp(`^\\s*${name}\\s*$`) })
    .click();

async function untilStatus(page: Page, pattern: string): Promise<void> {
  await page.waitForFunction(
    `new RegExp(${JSON.stringify(pattern)}).test(document.querySelector('[role=status]')?.textContent ?? '')`,
    undefined,
    { timeout: patienceMs, polling: 10 },
  );
}
