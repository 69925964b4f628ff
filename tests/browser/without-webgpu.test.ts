/**
 * Browsers without WebGPU: the recorded run still plays, the page says what to switch on, and nothing that needs a GPU
 * can be pressed.
 */
import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { encodeLink } from '../../src/share/link';
import { expectAccessibleEverywhere, openPage } from '../helpers/browser';
import { button, longMs, openShare, statusOf, untilStatus } from '../helpers/lab';

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

async function opens(missing: 'no api' | 'no adapter'): Promise<Page> {
  const page = await openPage({ gpu: 'no adapter', ...(missing === 'no api' && { before: withoutApi }), ...still });
  await untilStatus(page, /^Cannot train here/);
  return page;
}

for (const missing of ['no api', 'no adapter'] as const) {
  test(`with ${missing}, the page plays its recording and says what to switch on`, { timeout: longMs }, async () => {
    const page = await opens(missing);
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
  });
}

test(
  'without WebGPU, keys and the chat do nothing, the setup can be changed and shared, and a link shows its curve',
  { timeout: longMs },
  async () => {
    const page = await opens('no api');
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
    await page.keyboard.press('Escape');

    const validation = [0.1, 0.5, 0.9].map((success, i) => ({ iteration: i + 1, success }));
    const link = await encodeLink({
      preset: 'calculator',
      engineVersion: '0.4.0',
      shared: true,
      scalars: { seed: '3' },
      validation,
    });
    await page.evaluate((query) => (location.hash = `#/lab?${query}`), link);
    await page.getByText('The author’s agent solved 90 % of unseen tasks at step 3.').waitFor();
    expect(await page.getByRole('figure', { name: /^Success/ }).innerText()).toContain('author’s run');
    expect(await button(page, 'Run it here').isDisabled()).toBe(true);
    expect(await page.getByRole('alert').count()).toBe(0);
  },
);
