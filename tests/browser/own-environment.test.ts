/** An environment of one's own is begun from a template. own-environment.full.test.ts has the rest of its life. */
import { expect, test } from 'vitest';
import { expectAccessibleEverywhere, openPage } from '../helpers/browser';
import { longMs, patienceMs, shortLink, untilReady } from '../helpers/lab';
import { openDialog, press, write, written } from '../helpers/environment-dialog';

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
