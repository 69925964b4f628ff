/** The author's path: a world of two tools is written, mended, checked, trained and shared; a visitor repeats it. */
import { expect, test } from 'vitest';
import { openPage } from '../helpers/browser';
import { openDialog, press, write, written } from '../helpers/environment-dialog';
import { button, longMs, openShare, patienceMs, shortLink, untilReady, untilStatus } from '../helpers/lab';

const secondTool = (result: string) => `
  tool({
    name: 'goods',
    description: 'Says what the shops sell.',
    arguments: {},
    execute: () => ${result},
  }),
];

/**
 * Makes one task.`;

test('a world of two tools goes from the template to somebody else’s screen', { timeout: longMs }, async () => {
  const page = await openPage({ hash: shortLink({ steps: 2, seed: 3, tokens: 20 }) });
  await untilReady(page);
  const { dialog, code, report } = await openDialog(page);
  const template = (await written(page))!;
  const place = '\n];\n\n/**\n * Makes one task.';
  expect(template.split(place)).toHaveLength(2);
  const [world, wrong] = ["goods.join(' ')", ';'].map((result) => template.replace(place, secondTool(result)));

  await write(code, wrong);
  await code.press('Control+Enter');
  const line = wrong.split('\n').findIndex((each) => each.includes('execute: () => ;')) + 1;
  await press(report, `Go to line ${line}`);
  await dialog.getByText(`Line ${line}, column `).waitFor();
  await dialog.locator('.cm-lint-marker-error').waitFor();

  await write(code, world);
  await press(dialog, 'Check');
  await report.getByText('a second play gave the same.').first().waitFor({ timeout: patienceMs });
  await report.getByText(/^Its link has/).waitFor({ timeout: patienceMs });
  expect(await report.getByText('Problem', { exact: true }).count(), await report.innerText()).toBe(0);
  await press(dialog, 'Train with it');
  await untilStatus(page, /^Finished · iteration 2\/2/);
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Shop');

  const visitor = await openPage({ hash: new URL(await openShare(page)).hash });
  await untilReady(visitor);
  expect(await visitor.getByLabel('Source of the environment').first().innerText()).toContain("name: 'goods'");
  await button(visitor, 'Run it here').click();
  await untilStatus(visitor, /^Finished · iteration 2\/2/);
  await visitor.getByText(/^Same run: the first 2 iterations match bit for bit/).waitFor();
});
