/** Runs of an environment of one’s own: shared from the page, and begun in the terminal. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { expect, onTestFinished, test } from 'vitest';
import { expectAccessibleEverywhere, openPage } from '../helpers/browser';
import { button, longMs, openSettings, openShare, shortLink, untilReady, untilStatus } from '../helpers/lab';
import { shopTraining, steps, trainInTerminal } from '../programs/own-environment/terminal';
import { shop, openDialog, press, write } from '../helpers/environment-dialog';

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
    await button(visitor, 'Train').click();
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
  await button(page, 'Train').click();
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
