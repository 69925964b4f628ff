/** Opens the built page for a measurement, and works it by its buttons and its status line. */
import { gzipSync } from 'node:zlib';
import { chromium, type Browser, type BrowserContextOptions, type Page } from '@playwright/test';
import { CHROMIUM_FLAGS, findChromium } from '../../../src/cli/chromium';
import type { Site } from '../../helpers/site';

export const wide = { width: 1440, height: 900 };
export const narrow = { width: 360, height: 780 };
export const patienceMs = 120_000;

/** A run of the calculator with small rollouts, on the CPU. */
export const runLink = (settings: Readonly<Record<string, string | number>> = {}): string => {
  const small = { warm: 6, tasks: 4, group: 4, mini: 1, evalTasks: 8, layers: 1, width: 32, ff: 32, steps: 4 };
  const run = { v: 1, preset: 'calculator-mini', device: 'cpu', ...small, ...settings };
  return `#/lab?${new URLSearchParams(Object.entries(run).map(([key, value]) => [key, String(value)]))}`;
};

/** A run that no measurement sees the end of. */
export const endless = runLink({ steps: 10_000, warm: 30, tasks: 8 });

export interface VisitOptions extends BrowserContextOptions {
  /** No WebGPU adapter. */
  readonly withoutGpu?: boolean;
  readonly before?: (page: Page) => Promise<unknown>;
}

export class Visits {
  /** What pages threw or wrote on the console as errors, and requests that left the origin. */
  readonly faults: string[] = [];
  readonly leftOrigin: string[] = [];
  #browsers = new Map<boolean, Promise<Browser>>();

  constructor(readonly site: Site) {}

  get url(): string {
    return this.site.plainUrl;
  }

  /** A page in a fresh browser context, without the service worker unless it is allowed. */
  async open(hash: string, { withoutGpu = false, before, ...options }: VisitOptions = {}): Promise<Page> {
    const context = await (
      await this.#browser(withoutGpu)
    ).newContext({ viewport: wide, serviceWorkers: 'block', ...options });
    const page = await context.newPage();
    context.on('request', (request) => {
      const url = new URL(request.url());
      if (!/^(data|blob):$/.test(url.protocol) && url.origin !== new URL(this.url).origin)
        this.leftOrigin.push(request.url());
    });
    page.on('pageerror', (error) => this.faults.push(error.message));
    page.on('console', (message) => message.type() === 'error' && this.faults.push(message.text()));
    await before?.(page);
    await page.goto(hash === 'about:blank' ? hash : this.url + hash);
    return page;
  }

  async close(): Promise<void> {
    for (const browser of this.#browsers.values()) await (await browser).close();
  }

  #browser(withoutGpu: boolean): Promise<Browser> {
    const known = this.#browsers.get(withoutGpu);
    if (known) return known;
    const args = CHROMIUM_FLAGS.filter((flag) => !withoutGpu || !flag.includes('webgpu'));
    const launched = launch(args);
    this.#browsers.set(withoutGpu, launched);
    return launched;
  }
}

export function launch(args: readonly string[]): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('No Chromium was found: name one in the variable CHROMIUM.');
  return chromium.launch({ executablePath, args: [...args] });
}

/**
 * Gzip of the code that the page loads meanwhile; workers, their frame and what they load are apart from it.
 * @param except addresses that do not count
 */
export async function loadedKb(page: Page, act: () => Promise<unknown>, except = /^$/): Promise<number> {
  // The session of a page does not hear of what its workers load.
  const session = await page.context().newCDPSession(page);
  const byPage = new Set<string>();
  session.on('Network.requestWillBeSent', ({ request }) => byPage.add(request.url));
  await session.send('Network.enable');
  const bodies = new Map<string, Promise<number>>();
  page.on('response', (response) => {
    const isCode = /^(document|script|stylesheet)$/.test(response.request().resourceType());
    const url = response.url();
    if (isCode && !/worker|sandbox-frame|^blob:/.test(url) && !except.test(url))
      bodies.set(
        url,
        response.body().then((body) => gzipSync(body, { level: 9 }).length),
      );
  });
  await act();
  const sizes = [...bodies].filter(([url]) => byPage.has(url)).map(([, size]) => size);
  return (await Promise.all(sizes)).reduce((sum, each) => sum + each, 0) / 1000;
}

export const press = (page: Page, name: string): Promise<void> =>
  page.getByRole('button', { name, exact: true }).click({ timeout: patienceMs });

export async function untilStatus(page: Page, pattern: RegExp, timeoutMs = patienceMs): Promise<void> {
  await page.getByRole('status').filter({ hasText: pattern }).waitFor({ timeout: timeoutMs });
}

/** Waits until Train can be pressed and the devices were measured. */
export async function untilReady(page: Page): Promise<void> {
  await untilStatus(page, /^Ready/);
  await page.getByRole('banner').locator('span[title*="GFLOP/s"]').waitFor({ state: 'attached', timeout: patienceMs });
}

/** Trains from the present link until the status reads so. */
export async function train(page: Page, until: RegExp): Promise<void> {
  await untilReady(page);
  await press(page, 'Train');
  await untilStatus(page, until);
}

/** Saves the run of the page as a file of this kind. @returns its path */
export async function saveAs(page: Page, kind: string): Promise<string> {
  const item = page.getByRole('button', { name: new RegExp(`^${kind} `) });
  if (!(await item.isVisible())) await page.getByText('Export', { exact: true }).first().click();
  const downloading = page.waitForEvent('download', { timeout: patienceMs });
  await item.click({ timeout: patienceMs });
  const path = await (await downloading).path();
  await page.keyboard.press('Escape');
  return path;
}
