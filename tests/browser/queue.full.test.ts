/** The queue of runs: two more seeds are ordered by keyboard, trained and compared, with the bits of a run by hand. */
import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { expectAccessibleEverywhere, openPage } from '../helpers/browser';
import { button, longMs, patienceMs, shortLink, trainLink, untilReady } from '../helpers/lab';

const brief = { steps: 2, warm: 2 };

const openRuns = (page: Page): Promise<void> =>
  page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Runs' }).click();

const focused = (page: Page): Promise<string | undefined> =>
  page.evaluate(() => document.activeElement?.textContent?.trim());

/** Fingerprints of the kept runs with this seed. */
async function fingerprints(page: Page, seed: number): Promise<string[]> {
  const found: string[] = [];
  for (const details of await page.getByRole('button', { name: /^Details of/ }).all()) {
    if (!(await details.textContent())?.includes(`seed ${seed}`)) continue;
    await details.click();
    found.push((await page.getByText(/^Fingerprint of its first iterations/).textContent())!);
    await details.click();
  }
  return found;
}

test(
  'two seeds are queued, outlive a reload, end, are compared, and have the bits of a run by hand',
  {
    timeout: longMs,
  },
  async () => {
    const page = await openPage({ hash: shortLink({ ...brief, seed: 1 }) });
    await untilReady(page);
    await openRuns(page);
    await button(page, 'Queue runs…').click();
    const dialog = page.getByRole('dialog', { name: 'Queue runs' });
    const names = dialog.getByRole('list', { name: 'Names of the runs' }).getByRole('listitem');
    await expect.poll(() => names.allTextContents()).toEqual(['calculator-mini, seed 2', 'calculator-mini, seed 3']);
    await dialog.getByLabel('one switch or choice').check();
    await expect.poll(() => names.count()).toBe(2);
    const setting = dialog.getByLabel('Setting');
    await setting.selectOption('environment.options.max');
    await expect.poll(() => names.first().textContent()).toMatch(/^calculator-mini, largest number \d+$/);
    await expectAccessibleEverywhere(page, 'runs are ordered for the queue');
    await dialog.getByLabel('one number').check();
    await dialog.getByLabel('Values, with commas between').fill('1e-3, 7');
    await dialog.getByText(/^Learning rate must be a number from/).waitFor();
    await setting.selectOption('rewards.calls');
    await dialog.getByLabel('Values, with commas between').fill('0, 0.5');
    await expect
      .poll(() => names.allTextContents())
      .toEqual(['calculator-mini, reward weight: calls 0', 'calculator-mini, reward weight: calls 0.5']);
    await dialog.getByLabel('the seed only').check();
    await dialog.getByLabel('More seeds').press('Enter');
    await dialog.waitFor({ state: 'hidden' });
    await expect.poll(() => focused(page)).toBe('Start');

    await page.reload();
    const items = page.getByRole('list', { name: 'Queued runs' }).getByRole('listitem');
    await expect.poll(() => items.count(), { timeout: patienceMs }).toBe(2);
    await expect.poll(() => items.first().innerText()).toMatch(/waits/);
    await button(page, 'Start').focus();
    await page.keyboard.press('Enter');
    await items.filter({ hasText: 'in the Lab' }).waitFor({ timeout: patienceMs });
    expect(await focused(page)).toBe('Pause');
    await expectAccessibleEverywhere(page, 'the queue runs');
    await page.getByText('The queue is done: 2 runs finished.').waitFor({ timeout: patienceMs });
    expect((await items.allInnerTexts()).every((each) => /seed [23]\s+done/.test(each))).toBe(true);

    await page.getByRole('region', { name: 'Queue' }).getByRole('button', { name: 'Compare these 2' }).press('Enter');
    const slider = page.getByRole('slider', { name: /Success.* at iteration/ });
    await slider.waitFor({ timeout: patienceMs });
    await expect.poll(() => focused(page)).toBe('Compare');
    await slider.focus();
    await page.keyboard.press('End');
    expect(await slider.getAttribute('aria-valuetext')).toMatch(/^iteration 2: calculator-mini, 2 seeds [\d.]+\s%/);
    expect(await page.getByLabel('Group by').inputValue()).toBe('seeds');
    await expectAccessibleEverywhere(page, 'the queue is done and compared');

    await trainLink(page, { ...brief, seed: 2 });
    await openRuns(page);
    await expect.poll(() => page.getByRole('button', { name: /^Details of/ }).count(), { timeout: patienceMs }).toBe(3);
    const [byHand, queued] = await fingerprints(page, 2);
    expect(byHand).toMatch(/: [0-9a-f]{8,}$/);
    expect(queued).toBe(byHand);

    await page.getByRole('button', { name: 'Details of calculator-mini, seed 2' }).click();
    await button(page, 'Queue more like it…: calculator-mini, seed 2').click();
    await dialog.getByText('the run calculator-mini, seed 2.').waitFor();
    await expect.poll(() => names.allTextContents()).toEqual(['calculator-mini, seed 4', 'calculator-mini, seed 5']);
    await page.keyboard.press('Escape');
    expect(await focused(page)).toBe('Queue more like it…');
  },
);
