/**
 * An environment of one's own in the page: written, opened, checked, run, shared, and opened again by somebody else.
 */
import { expect, test } from 'vitest';
import { expectAccessibleEverywhere, openPage } from '../helpers/browser';
import { longMs, patienceMs, shortLink, untilReady } from '../helpers/lab';
import { shop, openDialog, press, write, written } from '../helpers/environment-dialog';

test('undoing ends at the template, and an empty module is offered it again', { timeout: longMs }, async () => {
  const page = await openPage({ hash: shortLink() });
  await untilReady(page);
  const { dialog, code, report } = await openDialog(page);
  await expect.poll(() => written(page), { timeout: patienceMs }).toContain('A template.');
  const template = await written(page);
  await code.press('Control+End');
  await page.keyboard.insertText('// mine\n');
  await expect.poll(() => written(page)).toBe(`${template}// mine\n`);
  for (let times = 0; times < 13; times++) await code.press('Control+z');
  expect(await written(page)).toBe(template);

  await write(code, ' \n');
  await press(dialog, 'Check');
  await report.getByText('The module is empty.').waitFor({ timeout: patienceMs });
  await expectAccessibleEverywhere(page, 'an empty module was checked');
  await press(report, 'Insert a template');
  await expect.poll(() => written(page)).toBe(template);
  await code.press('Control+z');
  expect(await written(page), 'what was inserted can be undone').toBe(' \n');
});

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
