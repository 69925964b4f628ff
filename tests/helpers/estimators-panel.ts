/** The page’s panel that compares estimators, as a person finds it. */
import type { Locator, Page } from '@playwright/test';
import { patienceMs } from './lab';

export const panelOf = (page: Page): Locator =>
  page.locator('details').filter({ hasText: 'Compare estimators' }).first();

export const tableOf = (page: Page): Locator =>
  page.getByRole('region', { name: 'Advantages of this group under every estimator' });

/** What stands under a head in the rows of whole rollouts, as a number. Waits for the table; throws without a head. */
export async function columnOf(page: Page, head: string): Promise<number[]> {
  await tableOf(page).waitFor({ timeout: patienceMs });
  const heads = await tableOf(page).getByRole('columnheader').allInnerTexts();
  // The heads of a column begin with the row of rollouts; those before it are of kinds.
  const at = heads.slice(heads.indexOf('Rollout, reward')).findIndex((each) => each.split('\n')[0] === head);
  if (at < 0) throw new Error(`No column is called ${head}: ${heads.join(', ')}`);
  const rows = tableOf(page)
    .getByRole('row')
    .filter({ has: page.getByRole('button') });
  const cells = await Promise.all(
    (await rows.all()).map((row) =>
      row
        .getByRole('cell')
        .nth(at - 1)
        .innerText(),
    ),
  );
  return cells.map((cell) => Number(cell.replace('−', '-').replace('~', '')));
}

export async function openComparison(page: Page): Promise<void> {
  await panelOf(page).locator('summary').first().focus();
  await page.keyboard.press('Enter');
  await tableOf(page).waitFor({ timeout: patienceMs });
}
