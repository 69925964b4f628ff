import { expect, test } from 'vitest';
import { expectAccessibleEverywhere, openPage } from '../helpers/browser';
import { button, longMs, shortLink, untilReady, untilStatus } from '../helpers/lab';

test('the pages have addresses, and the Lab is found as it was left', { timeout: longMs }, async () => {
  const page = await openPage({ hash: '#/' });
  const pages = page.getByRole('navigation', { name: 'Pages' });
  await expectAccessibleEverywhere(page, 'the worlds are open');
  await page.evaluate((to) => (location.hash = to), shortLink({ steps: 2 }));
  await untilReady(page);
  await button(page, 'Iterate').click();
  await untilStatus(page, /^Paused · iteration 1\/2/);
  for (const name of ['Runs', 'Learn', 'Worlds']) {
    await pages.getByRole('link', { name }).click();
    await page.getByRole('heading', { level: 1, name }).waitFor();
    expect(await pages.getByRole('link', { name }).getAttribute('aria-current')).toBe('page');
    await expectAccessibleEverywhere(page, `${name} is open`);
  }
  await pages.getByRole('link', { name: 'Lab' }).click();
  await untilStatus(page, /^Paused · iteration 1\/2/);
});
