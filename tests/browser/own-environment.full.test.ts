/** An environment of one’s own: written, measured and checked, and its runs, of the page and of the terminal. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, onTestFinished, test } from 'vitest';
import { expectAccessibleEverywhere, openPage } from '../helpers/browser';
import {
  button,
  longMs,
  openSettings,
  openShare,
  patienceMs,
  shortLink,
  trainButton,
  untilReady,
  untilStatus,
} from '../helpers/lab';
import { shopTraining, steps, trainInTerminal } from '../programs/own-environment/terminal';
import { shop, openDialog, press, write, written } from '../helpers/environment-dialog';

test('the code is kept, undone, measured, checked and marked', { timeout: longMs }, async () => {
  const page = await openPage({ hash: shortLink() });
  await untilReady(page);
  const { dialog, code, report } = await openDialog(page);
  expect(await code.innerText(), 'it begins with a template').toContain('A template.');
  await press(dialog, 'Check');
  await report.getByText('Good').first().waitFor({ timeout: patienceMs });
  expect(await report.getByText('Problem', { exact: true }).count(), await report.innerText()).toBe(0);
  await expectAccessibleEverywhere(page, 'an environment is being written');

  await write(code, 'const a = 1;\nconst b = ;\n');
  await press(dialog, 'Check');
  await press(report, 'Go to line 2');
  await dialog.getByText('Line 2, column ').waitFor();
  await dialog.locator('.cm-lint-marker-error').waitFor();
  await expectAccessibleEverywhere(page, 'code that cannot be loaded was checked');

  await dialog.getByLabel('Start from').selectOption('Two-armed bandit');
  await press(dialog, 'Insert');
  expect(await written(page)).toContain("title: 'Two-armed bandit'");
  await page.keyboard.press('Control+z');
  expect(await written(page), 'it can be undone').toBe('const a = 1;\nconst b = ;\n');

  await dialog
    .getByLabel('Open a file')
    .setInputFiles({ name: 'long.js', mimeType: 'text/javascript', buffer: Buffer.alloc(70_000, 'x') });
  await report.getByText('long.js has 68.4 KiB and was not opened: 64.0 KiB is the limit.').waitFor();
  await write(code, 'x'.repeat(70_000));
  await dialog.getByText('Too long: shorten it by 4.4 KiB.').waitFor();
  expect(await dialog.getByRole('button', { name: 'Check' }).isEnabled()).toBe(false);
  await dialog
    .getByLabel('Open a file')
    .setInputFiles({ name: 'shop.js', mimeType: 'text/javascript', buffer: Buffer.from(shop) });
  await expect.poll(() => written(page)).toBe(shop);

  await code.focus();
  await page.keyboard.press('Escape');
  await page.keyboard.press('Tab');
  await expect
    .poll(() => code.evaluate((area) => area.matches(':focus')), { message: 'Escape, then Tab leaves the code' })
    .toBe(false);
  await page.keyboard.press('Escape');
  await dialog.waitFor({ state: 'hidden' });
  await expect.poll(() => page.evaluate(() => document.activeElement?.textContent)).toBe('Your own environment…');

  await page.reload();
  await untilReady(page);
  await page.keyboard.press('e');
  await page.getByRole('dialog', { name: 'Your own environment' }).waitFor();
  expect(await code.innerText(), 'a reload keeps the text').toContain('Corner shop');
});

test(
  'an own environment is run with its own terms and options, shared, and run by somebody else',
  { timeout: longMs },
  async () => {
    const page = await openPage({ hash: shortLink({ steps: 2, seed: 3 }) });
    await untilReady(page);
    const { dialog, code } = await openDialog(page);
    await write(code, shop);
    await press(dialog, 'Train with it');
    await expect
      .poll(
        async () =>
          (await dialog.isHidden()) || (await dialog.getByRole('button', { name: 'Train anyway' }).isVisible()),
        { timeout: patienceMs },
      )
      .toBe(true);
    if (await dialog.isVisible()) await press(dialog, 'Train anyway');
    await untilStatus(page, /^Finished · iteration 2\/2/);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Corner shop');
    await expectFields(page);
    expect(await page.getByLabel('Preset').evaluate((list: HTMLSelectElement) => list.selectedOptions[0].text)).toBe(
      'Your own: Corner shop',
    );
    await expectAccessibleEverywhere(page, 'an own environment has run');

    const address = await openShare(page);
    const visitor = await openPage({ hash: new URL(address).hash });
    await untilReady(visitor);
    expect(await visitor.getByRole('heading', { level: 1 }).innerText()).toBe('An environment from a link');
    expect(await visitor.getByLabel('Source of the environment').first().innerText()).toContain(
      'prices[task.data.thing]',
    );
    await expectFields(visitor);
    await button(visitor, 'Run it here').click();
    await untilStatus(visitor, /^Finished · iteration 2\/2/);
    await visitor.getByText(/^Same run: the first 2 iterations match bit for bit/).waitFor();
    await expectFields(visitor);
  },
);

test('a run of the terminal, begun from a file, is the same run in the page', { timeout: longMs }, async () => {
  const folder = mkdtempSync(join(tmpdir(), 'agentlet-own-'));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const { link, success } = await trainInTerminal(join(folder, 'run'), shopTraining, {
    AGENTLET_ADAPTER: 'swiftshader',
  });
  expect(success.end, 'it has learned something').toBeGreaterThan(0.2);
  const page = await openPage({ hash: `#/lab?${link}` });
  await untilReady(page);
  await expectFields(page);
  await trainButton(page).click();
  await untilStatus(page, new RegExp(`^Finished · iteration ${steps}/${steps}`), longMs);
  await page.getByText(new RegExp(`^Same run: the first ${steps} iterations match bit for bit`)).waitFor();
});

async function expectFields(page: Page): Promise<void> {
  await openSettings(page);
  expect(await page.getByLabel('sold', { exact: true }).inputValue()).toBe('1');
  expect(await page.getByLabel('asked', { exact: true }).inputValue()).toBe('0.1');
  expect(await page.getByLabel('shelves', { exact: false }).first().inputValue()).toBe('4');
  expect(await page.getByLabel('correct', { exact: true }).count(), 'terms of the preset').toBe(0);
  expect(await page.getByLabel('Operations', { exact: true }).count(), 'options of the preset').toBe(0);
}
