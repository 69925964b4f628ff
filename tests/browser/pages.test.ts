import { expect, test } from 'vitest';
import { expectAccessible, expectAccessibleEverywhere, openPage } from '../helpers/browser';
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

/** Disables and enables the main buttons in turn, for as long as their colours take to change. */
function blink(): void {
  setInterval(() => {
    for (const each of document.querySelectorAll<HTMLButtonElement>('button.primary')) each.disabled = !each.disabled;
  }, 130);
}

test('axe sees no colour that is on its way to another', async () => {
  const page = await openPage({ hash: '#/' });
  await page.emulateMedia({ colorScheme: 'dark' });
  await page.locator('button.primary').first().waitFor();
  await page.evaluate(blink);
  for (let i = 0; i < 4; i++) await expectAccessible(page, 'buttons are disabled and enabled');
});
