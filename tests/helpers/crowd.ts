/** The crowd of a run that trains. */
import type { Locator, Page } from '@playwright/test';
import { openPage, type PageOptions } from './browser';
import { patienceMs, quickLink, trainButton, untilReady } from './lab';

export async function openCrowd(options: PageOptions = {}): Promise<{ page: Page; crowd: Locator; ones: Locator }> {
  const page = await openPage({ hash: quickLink({ steps: 40 }), ...options });
  await untilReady(page);
  await trainButton(page).click();
  const crowd = page.getByRole('region', { name: 'Its rollouts' });
  const ones = crowd.getByRole('button', { name: /^Rollout \d+/ });
  await ones.first().waitFor({ timeout: patienceMs });
  return { page, crowd, ones };
}

/** How rollouts of the crowd ended. */
export const marks = (crowd: Locator): Locator => crowd.getByText(/^[✓✗]$/);
