/** Browsers without WebGPU. */
import type { Page } from '@playwright/test';
import { expect } from 'vitest';
import { expectAccessibleEverywhere, openPage } from './browser';
import { button, untilStatus } from './lab';

/** Shows the whole recording at once; by default it plays over some seconds. */
const still = { reducedMotion: 'reduce' } as const;

/** Takes the API from the page and from its worker, as in a browser that never had it. */
async function withoutApi(page: Page): Promise<void> {
  await page.addInitScript(() => delete (Navigator.prototype as { gpu?: unknown }).gpu);
  await page.route(/trainer\.worker[^/]*\.js$/, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: `delete WorkerNavigator.prototype.gpu;\n${await response.text()}` });
  });
}

/** The API is missing, or it finds no adapter. */
export type Missing = 'no api' | 'no adapter';

/** The page in a browser that has no WebGPU, or no graphics adapter. */
export async function openWithout(missing: Missing): Promise<Page> {
  const page = await openPage({ gpu: 'no adapter', ...(missing === 'no api' && { before: withoutApi }), ...still });
  await untilStatus(page, /^Cannot train here/);
  return page;
}

/** The page plays its recording, says what to switch on, and offers nothing that needs a GPU. */
export async function expectRecordingAndAdvice(missing: Missing): Promise<void> {
  const page = await openWithout(missing);
  const advice = page.getByRole('note').filter({ hasText: 'No WebGPU in Chrome' });
  expect(await advice.innerText()).toMatch(/(chrome:\/\/|Switch on|Update|driver|graphics acceleration)/i);
  expect(await advice.innerText()).toContain('The recorded run and its rollouts work without it.');
  expect(await advice.innerText()).toContain(
    missing === 'no api' ? 'This browser has no WebGPU.' : 'no graphics adapter answered',
  );
  await page.getByRole('heading', { name: 'Recorded run' }).waitFor();
  await page.getByRole('figure', { name: /^Success: .*rose from \d+.* to \d+.* by step \d+\.$/ }).waitFor();
  expect(await page.getByRole('region', { name: 'Rollouts' }).getByRole('row').count()).toBeGreaterThan(1);
  for (const name of ['Train', 'Step', 'Reset']) expect(await button(page, name).isDisabled(), name).toBe(true);
  await expectAccessibleEverywhere(page, `there is ${missing}`);
}
