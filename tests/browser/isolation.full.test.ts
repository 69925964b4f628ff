/** Runs in the built page on top of its policy and its sandbox frame: what the isolation must not break. */
import { expect, test } from 'vitest';
import { openPage } from '../helpers/browser';
import { forbidStorage, sandboxWorkers, throwInWorker } from '../helpers/faults';
import {
  atStatus,
  button,
  longMs,
  patienceMs,
  sharedFingerprint,
  shortLink,
  stepOf,
  trainButton,
  untilReady,
  untilStatus,
} from '../helpers/lab';

test(
  'a whole run, its share link and its download work on a host that sends the headers',
  { timeout: longMs },
  async () => {
    const page = await openPage({ hash: shortLink({ steps: 3 }), headers: true });
    await untilReady(page);
    await trainButton(page).click();
    await untilStatus(page, /^Finished/);
    const download = page.waitForEvent('download', { timeout: patienceMs });
    await button(page, 'Download checkpoint').click();
    expect((await download).suggestedFilename()).toBe('agentlet-calculator-1-3.safetensors');
  },
);

test('iterations go on while the thread of the page is blocked', { timeout: longMs }, async () => {
  const page = await openPage({ hash: shortLink({ steps: 10_000 }) });
  await untilReady(page);
  await trainButton(page).click();
  await untilStatus(page, /^RL iteration [1-9]/);
  const before = await stepOf(page);
  await page.evaluate(async () => {
    // Time for several iterations on a slow machine, and far less than the silence that ends a trainer.
    const end = performance.now() + 10_000;
    while (performance.now() < end);
    // Long enough for what is queued to be shown, too short for another iteration and its tool calls.
    await new Promise((resolve) => setTimeout(resolve, 50));
  });
  expect((await stepOf(page)) - before).toBeGreaterThan(2);
});

test('sandbox workers end with their trainer, and the frame serves the next', { timeout: longMs }, async () => {
  // A run that was saved would go on by itself; whether this one was by then is a matter of speed.
  const page = await openPage({ hash: shortLink({ steps: 10_000 }), before: forbidStorage });
  await untilReady(page);
  await trainButton(page).click();
  await untilStatus(page, /^RL iteration [1-9]/);
  const first = sandboxWorkers(page);
  expect(first.length).toBeGreaterThanOrEqual(3);
  await throwInWorker(page, 'thrown by a test');
  await expect
    .poll(() => first.filter((worker) => page.workers().includes(worker)), { timeout: patienceMs })
    .toEqual([]);
  await button(page, 'Start over').click({ timeout: patienceMs });
  await untilStatus(page, /^RL iteration [1-9]/);
  expect(await page.locator('iframe').count()).toBe(1);
});

test('a sandbox frame that is lost is replaced, and the run comes to the same bits', { timeout: longMs }, async () => {
  const fingerprints: (readonly string[])[] = [];
  for (const lost of [false, true]) {
    const page = await openPage({ hash: shortLink({ steps: 10 }) });
    await untilReady(page);
    await trainButton(page).click();
    if (lost)
      await atStatus(page, /^RL iteration [1-9]/, (selector) => document.querySelector(selector)!.remove(), 'iframe');
    await untilStatus(page, /^Finished/, longMs / 2);
    expect(await page.locator('iframe').count()).toBe(1);
    fingerprints.push(await sharedFingerprint(page));
  }
  expect(fingerprints[0].length).toBeGreaterThan(0);
  expect(fingerprints[1]).toEqual(fingerprints[0]);
});
