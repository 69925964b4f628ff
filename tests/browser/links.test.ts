/**
 * Links that were cut, changed, made by hand or by another version: each opens, says what was left out, and leaves a
 * page that works.
 */
import { expect, test } from 'vitest';
import { expectAccessible, expectAccessibleEverywhere, openPage } from '../helpers/browser';
import { button, longMs, patienceMs, untilReady } from '../helpers/lab';
import { linkWithCode } from '../helpers/links';

test('a link with names that are no settings opens with a notice', { timeout: longMs }, async () => {
  const page = await openPage({ hash: '#/lab?v=1&nonsense=1&__proto__=2&constructor=3' });
  await untilReady(page);
  const notices = page.getByRole('list', { name: 'About this link' });
  await notices
    .getByText(/nonsense.* is not a setting/)
    .first()
    .waitFor({ timeout: patienceMs });
  expect(await page.getByRole('alert').allTextContents()).toEqual([]);
  await expectAccessible(page, 'a bad link is open');
});

test(
  'code from a link is shown and labelled before it runs, and that it cannot run is said when it is trained',
  { timeout: longMs },
  async () => {
    const source = 'throw new Error("no luck");';
    const link = await linkWithCode(source);
    const page = await openPage({ hash: `#/lab?${link}` });
    await untilReady(page);
    await page.getByText('It has not run. It runs only in the sandbox').waitFor();
    expect(await page.getByLabel('Source of the environment').first().innerText()).toBe(source);
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('An environment from a link');
    await expectAccessibleEverywhere(page, 'a link brings code');
    await button(page, 'Run it here').click();
    await page
      .getByRole('alert')
      .getByText(/no luck/)
      .waitFor({ timeout: patienceMs });
    await expectAccessibleEverywhere(page, 'a run has failed');
  },
);
