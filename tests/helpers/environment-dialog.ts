/** The dialog in which a person writes an environment, and a finished one to put into it. */
import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { expect } from 'vitest';
import { button } from './lab';
import { shopFile } from '../programs/own-environment/terminal';

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

/** What is written; the editor draws only the lines that are in sight. */
export const written = (page: Page): Promise<string | null> =>
  page.evaluate(() => localStorage.getItem('agentlet.environment'));

/** Replaces the code as a person would who selects it all and pastes. */
export async function write(code: Locator, text: string): Promise<void> {
  await code.press('Control+a');
  await code.page().keyboard.insertText(text);
  await expect.poll(() => written(code.page())).toBe(text);
}

export const press = (dialog: Locator, name: string) => dialog.getByRole('button', { name, exact: true }).click();
