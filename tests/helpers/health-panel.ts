/** The page’s Health panel, as a person finds it. */
import type { Locator, Page } from '@playwright/test';
import { expect } from 'vitest';
import { openPage } from './browser';
import { untilStatus } from './lab';

export const panelOf = (page: Page): Locator => page.getByRole('region', { name: 'Health', exact: true });

/** The tab, which says how healthy the run is. */
export const lineOf = (page: Page): Locator => page.getByRole('tab', { name: /^Health/ });

export const listOf = (page: Page): Locator => page.getByRole('list', { name: 'Diagnostics', exact: true });

export const rowOf = (page: Page, name: string): Locator =>
  listOf(page)
    .locator('> li')
    .filter({ has: page.getByRole('heading', { name, exact: true }) });

export async function openRecording(before?: (page: Page) => Promise<unknown>): Promise<Page> {
  const page = await openPage({ reducedMotion: 'reduce', gpu: 'no adapter', before });
  await untilStatus(page, /^Ready/);
  await expect.poll(() => lineOf(page).innerText()).toMatch(/checks OK|alarm|watch/);
  return page;
}
