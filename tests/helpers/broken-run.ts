/** Runs to break: a small one with an end, whose bits can be compared, and one that outlives its test. */
import type { Page } from '@playwright/test';
import { expect } from 'vitest';
import { decodeLink } from '../../src/share/link';
import { openPage, type PageOptions } from './browser';
import { button, openShare, patienceMs, shortLink, statusOf, stepOf, untilReady, untilStatus } from './lab';
import { expectNotice } from './notices';

export const iterations = 12;
const small = { warm: 30, tasks: 8, width: 32, ff: 32 };
/** Long enough for something to happen in the middle of it, also when a test looks late. */
const link = shortLink({ ...small, steps: iterations });
const endlessLink = shortLink({ ...small, steps: 10_000 });

/** The small run opened, or the one that outlives its test. */
export const open = (options: PageOptions = {}): Promise<Page> => openPage({ hash: link, ...options });
export const openEndless = (options: PageOptions = {}): Promise<Page> => openPage({ hash: endlessLink, ...options });

export const midRun = /^RL step ([2-9]|\d\d+)\//;
export const finished = new RegExp(`^Finished · step ${iterations}/${iterations}`);

/** Presses Train as soon as it can be pressed. */
export async function train(page: Page, until: RegExp): Promise<void> {
  await untilReady(page);
  await button(page, 'Train').click();
  await untilStatus(page, until);
}

/** What two runs of the same bits have in common: digests of the first iterations, and the curve. */
async function bitsOf(page: Page) {
  const { fingerprint, validation } = await decodeLink(await openShare(page));
  await page.keyboard.press('Escape');
  return { fingerprint, validation };
}

let unbroken: Promise<Awaited<ReturnType<typeof bitsOf>>> | undefined;

/** The bits of the run when nothing breaks. */
function reference() {
  unbroken ??= (async () => {
    const page = await open();
    await train(page, /^Finished/);
    return bitsOf(page);
  })();
  return unbroken;
}

/** The run ends with the bits of one that nothing happened to. */
export async function expectSameBits(page: Page): Promise<void> {
  await untilStatus(page, finished);
  expect(await bitsOf(page)).toEqual(await reference());
  expect(await page.getByRole('alert').count()).toBe(0);
}

/** The run goes on: an iteration more, and no failure. */
export async function expectNextIteration(page: Page): Promise<void> {
  await untilStatus(page, /^RL step/);
  const before = await stepOf(page);
  await expect.poll(() => stepOf(page), { timeout: patienceMs }).toBeGreaterThan(before);
  expect(await statusOf(page)).toMatch(/^RL step/);
  expect(await page.getByRole('alert').count()).toBe(0);
}

/** Reloads; the button Resume of the banner that says this. */
export async function reloadAndResume(page: Page, sentence: RegExp) {
  await page.reload();
  const banner = await expectNotice(page, sentence, ['Resume']);
  await untilReady(page);
  return banner.getByRole('button', { name: 'Resume' });
}
