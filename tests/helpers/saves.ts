/** When the page saves its run, and what is stored then. */
import type { Page } from '@playwright/test';
import { setVisible } from './faults';
import { patienceMs } from './lab';

/** As if the tab were hidden: the run is saved at once. */
export async function saveByHiding(page: Page) {
  await setVisible(page, false);
  await page.getByText(/saved at iteration \d+/).waitFor({ timeout: patienceMs });
  await setVisible(page, true);
}

/** Iteration of the state that was stored last. */
export const newestSave = (page: Page): Promise<number> =>
  page.evaluate(async () => {
    const opening = indexedDB.open('agentlet runs');
    await new Promise((resolve, reject) => Object.assign(opening, { onsuccess: resolve, onerror: reject }));
    const reading = opening.result.transaction('entries').objectStore('entries').getAll();
    await new Promise((resolve, reject) => Object.assign(reading, { onsuccess: resolve, onerror: reject }));
    opening.result.close();
    const heads = (reading.result as { serial?: number; run: { iteration: number } }[]).filter(
      ({ serial }) => serial !== undefined,
    );
    return heads.reduce((newest, head) => (head.serial! > newest.serial! ? head : newest)).run.iteration;
  });
