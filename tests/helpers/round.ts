/** A visitor's rounds of the mini calculator in the dialog *Play it yourself*, by the keyboard alone. */
import type { Locator, Page } from '@playwright/test';
import { enter, tabTo } from './keyboard';
import { patienceMs } from './lab';

/** The dialog, once its button was pressed and its task is there. */
export async function openRounds(page: Page, name = 'Play it yourself'): Promise<Locator> {
  await enter(page, page.getByRole('button', { name, exact: true }).first());
  const dialog = page.getByRole('dialog', { name: 'Play it yourself' });
  await dialog.getByText(/^turn 1 of/).waitFor({ timeout: patienceMs });
  return dialog;
}

/** Calls the tool with the question and answers with its result. */
export async function playRound(page: Page, dialog: Locator): Promise<void> {
  const prompt = await dialog.locator('.environment-ink').first().innerText();
  await tabTo(page, dialog.getByRole('textbox', { name: /^expression/ }));
  await page.keyboard.type(prompt);
  await page.keyboard.press('Enter');
  await dialog.getByText(/^turn 2 of/).waitFor({ timeout: patienceMs });
  const [, first, sign, second] = /^(\d+)([-+*])(\d+)$/.exec(prompt)!;
  const [a, b] = [Number(first), Number(second)];
  await tabTo(page, dialog.getByRole('textbox', { name: /^text/ }));
  await page.keyboard.type(String(sign === '*' ? a * b : sign === '+' ? a + b : a - b));
  await page.keyboard.press('Enter');
  await dialog.getByText('Solved.', { exact: true }).waitFor({ timeout: patienceMs });
}

/** Plays a practice task, lets its round teach, and goes on to another task. */
export async function teachRound(page: Page, dialog: Locator): Promise<void> {
  await playRound(page, dialog);
  // What a solved round offers has the focus.
  await dialog.getByRole('button', { name: 'Use this round to teach' }).waitFor({ timeout: patienceMs });
  await page.keyboard.press('Enter');
  await dialog.getByText('This round teaches.').waitFor({ timeout: patienceMs });
  await page.keyboard.press('Enter');
  await dialog.getByText(/^turn 1 of/).waitFor({ timeout: patienceMs });
}
