/**
 * A headless Chromium for the tests in `tests/browser`, with WebGPU or without: opens the built page and holds it to
 * what every test demands (no uncaught error, nothing on the console, no request that leaves the origin, nothing that
 * its policy refuses, no axe violation). `AGENTLET_SHOTS=DIR` saves a picture of every state that is checked for
 * accessibility. How to work the Lab is in lab.ts.
 */
import { join } from 'node:path';
import { chromium, type Browser, type BrowserContextOptions, type Page } from '@playwright/test';
import { expect, inject, onTestFinished } from 'vitest';
import { CHROMIUM_FLAGS, findChromium } from '../../src/cli/chromium';
import type { NodeResult } from 'axe-core';
import { violationsOf } from './axe';

/** Which GPU the browser offers, to pages and workers alike: the software adapter, or an API that finds none. */
export type Gpu = 'software' | 'no adapter';

const FLAGS: Readonly<Record<Gpu, readonly string[]>> = {
  software: CHROMIUM_FLAGS,
  'no adapter': CHROMIUM_FLAGS.filter((flag) => !flag.includes('webgpu')),
};

const wide = { width: 1440, height: 900 };
const narrow = { width: 360, height: 780 };

/** They serve all files of a process, and end with it. */
const launched = new Map<Gpu, Promise<Browser>>();

/** What `openPage` is asked for beyond the defaults. */
export interface PageOptions extends BrowserContextOptions {
  /** What follows the site's address; the Lab if it is left out. */
  readonly hash?: string;
  readonly gpu?: Gpu;
  /** Address of another build of the page. */
  readonly site?: string;
  /** From a host that sends the headers of the build's `_headers`; else from one that sends none. */
  readonly headers?: boolean;
  /** Address of a hub that the page may ask. */
  readonly hub?: string;
  /** The test does to the page what it must refuse, so its complaints are no faults. */
  readonly attacked?: boolean;
  /** What the browser itself writes on the console about a fault that the test provokes. */
  readonly expected?: RegExp;
  /** Runs before the page loads: add init scripts, block features. */
  readonly before?: (page: Page) => Promise<unknown>;
}

/**
 * The built page in a fresh browser context, without its service worker unless `serviceWorkers` allows it: it would
 * fetch the whole site. When the test ends the context is closed, and the test fails if the page
 * threw an uncaught error, wrote an error on the console, did what its policy refuses or asked for anything outside its
 * origin.
 */
export async function openPage({
  hash = '#/lab',
  gpu = 'software',
  headers,
  site = inject(headers ? 'siteWithHeadersUrl' : 'siteUrl'),
  hub,
  attacked,
  expected,
  before,
  ...options
}: PageOptions = {}): Promise<Page> {
  const context = await (await browser(gpu)).newContext({ viewport: wide, serviceWorkers: 'block', ...options });
  const page = await context.newPage();
  const faults: string[] = [];
  context.on('request', (request) => {
    const known = [new URL(site).origin, hub];
    const left = !/^(data|blob):/.test(request.url()) && !known.includes(new URL(request.url()).origin);
    if (left) faults.push(`a request left the origin: ${request.url()}`);
  });
  context.on('response', (response) => {
    if (response.status() >= 400) faults.push(`${response.url()} answered ${response.status()}`);
  });
  context.on('console', (message) => {
    if (message.type() === 'error' && !expected?.test(message.text()))
      faults.push(`an error on the console: ${message.text()} (${message.location().url})`);
  });
  await context.addInitScript(() =>
    document.addEventListener('securitypolicyviolation', (event) =>
      console.error(
        `The policy of ${location.href} refused ${event.blockedURI} (${event.violatedDirective}): ${event.sample}`,
      ),
    ),
  );
  page.on('pageerror', (error) => faults.push(`the page threw: ${error.stack ?? error.message}`));
  onTestFinished(async () => {
    await context.close();
    if (!attacked) expect(faults, 'faults of the page').toEqual([]);
  });
  await before?.(page);
  await page.goto(site + hash);
  return page;
}

/** Where a violation is, and why. */
const nodeText = ({ target, any }: NodeResult): string =>
  [target.join(' '), ...any.map(({ message }) => message)].join(' – ');

/**
 * Fails with one line per rule that the page breaks in its present state. @param state names it in the message and on
 * the picture
 */
export async function expectAccessible(page: Page, state: string): Promise<void> {
  const violations = await violationsOf(page);
  const shots = process.env.AGENTLET_SHOTS;
  if (shots) await page.screenshot({ path: join(shots, `${state.replaceAll(' ', '-')}.png`), fullPage: true });
  const sentences = violations.map(({ id, help, nodes }) => `${id}: ${help} (${nodes.map(nodeText).join(', ')})`);
  expect(sentences, `axe violations when ${state}`).toEqual([]);
}

/**
 * `expectAccessible` dark on a phone and light on a desk; a page wider than its window fails, too. Ends light and wide,
 * as it began.
 */
export async function expectAccessibleEverywhere(page: Page, state: string): Promise<void> {
  for (const { size, colorScheme } of [
    { size: narrow, colorScheme: 'dark' },
    { size: wide, colorScheme: 'light' },
  ] as const) {
    await page.setViewportSize(size);
    await page.emulateMedia({ colorScheme });
    await expectAccessible(page, `${state} ${colorScheme} ${size.width}`);
    const overflowPx = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflowPx, `pixels that stick out when ${state} at ${size.width}`).toBe(0);
  }
}

/** The browser with this kind of GPU; a new one if the last has ended. */
async function browser(gpu: Gpu): Promise<Browser> {
  if (!(await launched.get(gpu))?.isConnected()) launched.set(gpu, launch(gpu));
  return launched.get(gpu)!;
}

async function launch(gpu: Gpu): Promise<Browser> {
  const executablePath = findChromium();
  if (!executablePath)
    throw new Error('No Chromium was found: run npm test once, or name one in the variable CHROMIUM.');
  return chromium.launch({ executablePath, args: [...FLAGS[gpu]] });
}
