/** The dialog in which a person writes an environment, and a finished one to put into it. */
import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { button } from './lab';
import { shopFile } from '../own-environment/terminal';

export const shop = readFileSync(shopFile, 'utf8');

export async function openDialog(page: Page): Promise<{ dialog: Locator; code: Locator; report: Locator }> {
  await button(page, 'Your own environment…').click();
  const dialog = page.getByRole('dialog', { name: 'Your own environment' });
  await dialog.waitFor();
  return {
    dialog,
    code: dialog.getByLabel('Code of the environment (JavaScript)'),
    report: dialog.getByRole('status'),
  };
}

export const press = (dialog: Locator, name: string) => dialog.getByRole('button', { name, exact: true }).click();
