/** Working a page by the keyboard alone. */
import type { Locator, Page } from '@playwright/test';

const maxTabs = 250;

/** Presses Tab until this has the focus. @throws if it cannot be reached */
export async function tabTo(page: Page, target: Locator): Promise<void> {
  for (let tabs = 0; tabs < maxTabs; tabs++) {
    if ((await target.count()) > 0 && (await target.first().evaluate((each) => each === document.activeElement)))
      return;
    await page.keyboard.press('Tab');
  }
  throw new Error(`${maxTabs} presses of Tab do not reach ${target}.`);
}

/** Goes there by Tab and presses Enter. */
export async function enter(page: Page, target: Locator): Promise<void> {
  await tabTo(page, target);
  await page.keyboard.press('Enter');
}
