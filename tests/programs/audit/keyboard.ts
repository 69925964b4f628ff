/** The way of a newcomer, by keyboard alone: from the worlds to a curve, a rollout and the chat. */
import type { Page } from '@playwright/test';
import { mustBe, type Row } from './row';
import { patienceMs, untilReady, untilStatus, type Visits } from './visit';

/** More presses of Tab than this and somebody gives up. */
const maxTabs = 60;

export async function keyboard(visits: Visits): Promise<Row[]> {
  const page = await visits.open('#/');
  await page.getByRole('link', { name: 'Calculator, mini', exact: true }).waitFor({ timeout: patienceMs });
  await follow(page, 'Calculator, mini', 'Enter');
  await untilReady(page);
  await follow(page, 'Train', 'Space');
  await untilStatus(page, /iteration [1-9]\d*\//);
  await page.keyboard.press('j');
  await page
    .getByRole('article')
    .getByText(/^iteration \d+ · rollout \d+$/)
    .waitFor({ timeout: patienceMs });
  await untilStatus(page, /^Finished/);
  await page.keyboard.press('c');
  await page.keyboard.type('3+4');
  await page.keyboard.press('Enter');
  await page.getByRole('log', { name: 'Chat' }).getByText('3+4').first().waitFor({ timeout: patienceMs });
  await page.context().close();
  return [mustBe('the way of a newcomer, by keyboard alone', 'trains and chats', 'trains and chats')];
}

/** Presses Tab until the control of this name has the focus, and then this key. */
async function follow(page: Page, name: string, key: string): Promise<void> {
  const focused = () => page.evaluate(() => document.activeElement?.textContent?.trim());
  for (let tabs = 0; (await focused()) !== name; tabs++) {
    if (tabs === maxTabs) throw new Error(`“${name}” has no focus after ${maxTabs} presses of Tab`);
    await page.keyboard.press('Tab');
  }
  await page.keyboard.press(key);
}
