/**
 * A headless Chromium with WebGPU for the tests in `tests/browser`: opens the built page and holds it to what every test demands
 * (no uncaught error, no request that leaves the origin, no axe violation).
 */
import AxeBuilder from '@axe-core/playwright';
import { chromium, type Browser, type BrowserContextOptions, type Page } from '@playwright/test';
import { afterAll, expect, inject, onTestFinished } from 'vitest';
import { CHROMIUM_FLAGS, findChromium } from '../../src/cli/chromium';

let launched: Promise<Browser> | undefined;

/** What `openPage` is asked for beyond the defaults. */
export interface PageOptions extends BrowserContextOptions {
  /** What follows the site's address: `#/lab?…`. */
  readonly hash?: string;
  /** Runs before the page loads: add init scripts, block features. */
  readonly before?: (page: Page) => Promise<unknown>;
}

/**
 * The built page in a fresh browser context. When the test ends the context is closed, and the test fails if the page threw an
 * uncaught error or asked for anything outside its origin.
 */
export async function openPage({ hash = '', before, ...options }: PageOptions = {}): Promise<Page> {
  const url = inject('siteUrl');
  const context = await (await browser()).newContext(options);
  const page = await context.newPage();
  const faults: string[] = [];
  context.on('request', (request) => {
    const left = !/^(data|blob):/.test(request.url()) && new URL(request.url()).origin !== new URL(url).origin;
    if (left) faults.push(`a request left the origin: ${request.url()}`);
  });
  context.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.url()} answered ${response.status()}`);
  });
  page.on('pageerror', (error) => faults.push(`the page threw: ${error.stack ?? error.message}`));
  onTestFinished(async () => {
    await context.close();
    expect(faults, 'faults of the page').toEqual([]);
  });
  await before?.(page);
  await page.goto(url + hash);
  return page;
}

/** Fails with one line per rule that the page breaks in its present state. */
export async function expectAccessible(page: Page): Promise<void> {
  const { violations } = await new AxeBuilder({ page }).analyze();
  const sentences = violations.map(({ id, help, nodes }) => `${id}: ${help} (${nodes.map((node) => node.target.join(' ')).join(', ')})`);
  expect(sentences, 'axe violations').toEqual([]);
}

afterAll(async () => {
  await (await launched)?.close();
});

/** One browser for all tests of a file. */
function browser(): Promise<Browser> {
  return (launched ??= launch());
}

async function launch(): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath) throw new Error('No Chromium was found: run npm test once, or name one in the variable CHROMIUM.');
  return chromium.launch({ executablePath, args: [...CHROMIUM_FLAGS] });
}
