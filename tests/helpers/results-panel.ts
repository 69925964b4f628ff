/** The page’s tables of experiments, from files that a test makes up. */
import type { Page } from '@playwright/test';
import { openPage } from './browser';
import { untilStatus } from './lab';

const still = { reducedMotion: 'reduce', gpu: 'no adapter' } as const;

/** The page, opened and quiet, with these files under `results/`; and what it asked for there. */
export async function openWith(files: Readonly<Record<string, unknown>>): Promise<{ page: Page; asked: string[] }> {
  const asked: string[] = [];
  const before = (page: Page) =>
    page.route(/\/results\/[^/]+\.json$/, (route) => {
      const name = new URL(route.request().url()).pathname.split('/').at(-1)!;
      asked.push(name);
      return route.fulfill({ json: files[name] });
    });
  const page = await openPage({ ...still, before });
  await untilStatus(page, /^Ready/);
  return { page, asked };
}
