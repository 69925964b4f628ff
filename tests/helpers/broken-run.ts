/** Runs to break: a small one with an end, whose bits can be compared, and one that outlives its test. */
import type { Page } from '@playwright/test';
import { expect } from 'vitest';
import type { DeviceChoice } from '../../src/device/choice';
import { decodeLink } from '../../src/share/link';
import { openPage, type PageOptions } from './browser';
import { openShare, patienceMs, shortLink, statusOf, stepOf, trainButton, untilReady, untilStatus } from './lab';
import { expectNotice } from './notices';

export const iterations = 36;
const small = { warm: 30, tasks: 8, width: 32, ff: 32 };
/** Long enough for something to happen in the middle of it, also when a test looks late. */
const openRun = (steps: number, { device = 'auto', ...options }: RunOptions): Promise<Page> =>
  openPage({ hash: shortLink({ ...small, steps, device }), ...options });

interface RunOptions extends PageOptions {
  /** `gpu` for what breaks with WebGPU. By default the tests train on the CPU, since their adapter is software. */
  readonly device?: DeviceChoice;
}

/** The small run opened, or the one that outlives its test. */
export const open = (options: RunOptions = {}): Promise<Page> => openRun(iterations, options);
export const openEndless = (options: RunOptions = {}): Promise<Page> => openRun(10_000, options);

export const midRun = /^RL iteration ([2-9]|\d\d+)\//;
export const finished = new RegExp(`^Finished · iteration ${iterations}/${iterations}`);

/** Presses Train as soon as it can be pressed. */
export async function train(page: Page, until: RegExp): Promise<void> {
  await untilReady(page);
  await trainButton(page).click();
  await untilStatus(page, until);
}

/** What two runs of the same bits have in common: digests of the first iterations, and the curve. */
async function bitsOf(page: Page) {
  const { fingerprint, validation } = await decodeLink(await openShare(page));
  await page.keyboard.press('Escape');
  return { fingerprint, validation };
}

const unbroken = new Map<DeviceChoice, ReturnType<typeof bitsOf>>();

/** The bits of the run when nothing breaks. */
function reference(device: DeviceChoice) {
  const known = unbroken.get(device);
  if (known) return known;
  const bits = open({ device }).then(async (page) => {
    await train(page, /^Finished/);
    return bitsOf(page);
  });
  unbroken.set(device, bits);
  return bits;
}

/** The run ends with the bits of one that nothing happened to. */
export async function expectSameBits(page: Page, device: DeviceChoice = 'auto'): Promise<void> {
  await untilStatus(page, finished);
  expect(await bitsOf(page)).toEqual(await reference(device));
  expect(await page.getByRole('alert').count()).toBe(0);
}

/** The run goes on: an iteration more, and no failure. */
export async function expectNextIteration(page: Page): Promise<void> {
  await untilStatus(page, /^RL iteration/);
  const before = await stepOf(page);
  await expect.poll(() => stepOf(page), { timeout: patienceMs }).toBeGreaterThan(before);
  expect(await statusOf(page)).toMatch(/^RL iteration/);
  expect(await page.getByRole('alert').count()).toBe(0);
}

/** Reloads; the button Resume of the banner that says this. */
export async function reloadAndResume(page: Page, sentence: RegExp) {
  await page.reload();
  const banner = await expectNotice(page, sentence, ['Resume']);
  await untilReady(page);
  return banner.getByRole('button', { name: 'Resume' });
}
