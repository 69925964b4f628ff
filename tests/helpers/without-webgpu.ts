/** Browsers without WebGPU, where the page trains on the CPU. */
import type { Page } from '@playwright/test';
import { expect } from 'vitest';
import { expectAccessibleEverywhere, openPage, type PageOptions } from './browser';
import { button, measuredDevice, openMenu, trainButton, untilReady, untilStatus } from './lab';

/** Runs before the code of the page's trainer worker, which init scripts do not reach. */
export const inWorker = (page: Page, script: string): Promise<unknown> =>
  page.route(/trainer\.worker[^/]*\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `${script}\n${await response.text()}` });
  });

/** Takes the API from the page and from its worker, as in a browser that never had it. */
async function withoutApi(page: Page): Promise<void> {
  await page.addInitScript(() => delete (Navigator.prototype as { gpu?: unknown }).gpu);
  await inWorker(page, 'delete WorkerNavigator.prototype.gpu;');
}

/** The API is missing, or it finds no adapter. */
export type Missing = 'no api' | 'no adapter';

/** The smallest preset, which begins from its recorded warm start. */
export const miniLink = '#/lab?v=1&preset=calculator-mini';

/** The page in a browser that has no WebGPU, or no graphics adapter. */
export async function openWithout(missing: Missing, options: PageOptions = {}): Promise<Page> {
  const page = await openPage({ gpu: 'no adapter', ...(missing === 'no api' && { before: withoutApi }), ...options });
  await untilReady(page);
  return page;
}

/** The page says that it trains on the CPU and what to switch on, and a run begins its curve there. */
export async function expectTrainingOnCpu(missing: Missing): Promise<void> {
  const page = await openWithout(missing, { hash: miniLink });
  await openMenu(page);
  await button(page, 'No GPU?').click();
  const advice = page.getByRole('note').filter({ hasText: 'Training runs on the CPU here' });
  await advice.waitFor();
  expect(await advice.innerText()).toMatch(/(chrome:\/\/|Switch on|Update|driver|graphics acceleration)/i);
  expect(await advice.innerText()).toContain(
    missing === 'no api' ? 'This browser has no WebGPU.' : 'no graphics adapter answered',
  );
  const choice = page.getByLabel('Train on', { exact: true });
  expect(await choice.locator('option').allInnerTexts()).toEqual(['Automatic', 'GPU (no WebGPU here)', 'CPU']);
  expect(await choice.locator('option:disabled').count()).toBe(1);
  expect(await measuredDevice(page).innerText()).toBe('Runs on your CPU');
  await expectAccessibleEverywhere(page, `there is ${missing}`);
  await page.keyboard.press('Escape');
  expect(await advice.isVisible(), 'advice that was closed').toBe(false);

  await trainButton(page).click();
  await untilStatus(page, /^RL iteration [1-9]/);
  expect(await choice.isDisabled(), 'the choice is locked while a run is training').toBe(true);
  await page.getByRole('heading', { name: 'Your run' }).waitFor();
  await page.getByRole('figure', { name: /^Success: .* iteration \d/ }).waitFor();
  expect(await page.getByRole('region', { name: 'Rollouts', exact: true }).getByRole('row').count()).toBeGreaterThan(1);
}
