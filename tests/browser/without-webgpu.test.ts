/** Browsers without WebGPU: the recorded run still plays, the page says what to switch on, and nothing that needs a GPU can be pressed. */
import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { expectAccessibleEverywhere, openPage, type Gpu } from '../helpers/browser';
import { button, longMs, openShare, patienceMs, statusOf } from '../helpers/lab';

/** Shows the whole recording at once; by default it plays over some seconds. */
const still = { reducedMotion: 'reduce' } as const;

const withoutApi = (page: Page) => page.addInitScript(() => Object.defineProperty(Navigator.prototype, 'gpu', { value: undefined }));

async function opens(gpu: Gpu, before?: (page: Page) => Promise<unknown>): Promise<Page> {
  const page = await openPage({ gpu, before, ...still });
  await expect.poll(() => statusOf(page), { timeout: patienceMs }).toMatch(/^Cannot train here/);
  return page;
}

for (const gpu of ['no api', 'no adapter'] as const) {
  test(`with ${gpu}, the page plays its recording and says what to switch on`, { timeout: longMs }, async () => {
    const page = await opens(gpu, gpu === 'no api' ? withoutApi : undefined);
    const advice = page.getByRole('note').filter({ hasText: 'No WebGPU in Chrome' });
    expect(await advice.innerText()).toMatch(/(chrome:\/\/|Switch on|Update|driver|graphics acceleration)/i);
    expect(await advice.innerText()).toContain('The recorded run and its rollouts work without it.');
    await page.getByRole('heading', { name: 'Recorded run' }).waitFor();
    await page.getByRole('figure', { name: /^Success: .*rose from \d+.* to \d+.* over \d+ iterations\.$/ }).waitFor();
    expect(await page.getByRole('region', { name: 'Rollouts' }).getByRole('row').count()).toBeGreaterThan(1);
    for (const name of ['Train', 'Step', 'Reset']) expect(await button(page, name).isDisabled(), name).toBe(true);
    await expectAccessibleEverywhere(page, `there is ${gpu}`);
  });
}

test('without WebGPU, keys and the chat do nothing, the setup can be changed and shared, and a link shows its curve', { timeout: longMs }, async () => {
  const page = await opens('no api', withoutApi);
  await page.getByRole('heading', { level: 1 }).click();
  await page.keyboard.press('Space');
  await page.keyboard.press('.');
  await page.keyboard.press('r');
  expect(await statusOf(page)).toMatch(/^Cannot train here · step 0\//);
  await page.getByRole('textbox', { name: 'Message the agent' }).fill('3+4');
  await page.keyboard.press('Enter');
  expect(await page.getByRole('log').count()).toBe(0);
  await page.getByRole('textbox', { name: 'Seed' }).fill('11');
  expect(await openShare(page)).toContain('seed=11');
  expect(await page.getByRole('alert').count()).toBe(0);
});
