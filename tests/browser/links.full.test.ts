/** Every kind of bad link in the page: each opens, says what was left out, and leaves a page that works. */
import { expect, test } from 'vitest';
import { engineVersion } from '../../src/config/run-link';
import { encodeLink } from '../../src/share/link';
import { expectAccessible, openPage } from '../helpers/browser';
import { button, longMs, patienceMs, shortLink, trainButton, untilReady, untilStatus } from '../helpers/lab';
import { linkWithCode } from '../helpers/links';

/** What follows `#/lab?`, and what the page must say about it. */
const BAD_LINKS: readonly (readonly [string, RegExp])[] = [
  ['v=1&layers=99&lr=-1&width=abc&steps=1e999', /layers/],
  ['v=1&width=20&heads=3', /do not fit together/],
  ['v=1&env=nowhere', /no environment called "nowhere"/],
  ['v=1&opt.operations=99&opt.bogus=1&reward.bogus=2', /opt\.bogus/],
  ['v=1&ev=99.0.0', /made with engine 99\.0\.0/],
  ['v=1&seed=%E0%A4%A', /seed/],
];

/** The same of links of which nothing can be used. */
const UNREADABLE: readonly (readonly [string, RegExp])[] = [
  ['v=1&x=!!!!', /packed part cannot be used/],
  ['v=1&preset=no-such-preset', /no preset called "no-such-preset"/],
  ['v=9&preset=calculator&layers=1', /another link format/],
  [`v=1&seed=${'9'.repeat(60_000)}`, /48000 is the limit/],
];

test('every bad link opens with a notice', { timeout: longMs }, async () => {
  const page = await openPage();
  await untilReady(page);
  for (const [link, notice] of BAD_LINKS) {
    await page.evaluate((to) => (location.hash = to), `#/lab?${link}`);
    const notices = page.getByRole('list', { name: 'About this link' });
    await notices.getByText(notice).first().waitFor({ timeout: patienceMs });
    expect(await page.getByRole('alert').allTextContents()).toEqual([]);
  }
  await expectAccessible(page, 'a bad link is open');
  await trainButton(page).click();
  // It may be at work before anybody looks.
  await untilStatus(page, /^(?!Ready)/);
});

test(
  'links of which nothing can be used say why and lead to the start page, and back closes a letter',
  { timeout: longMs },
  async () => {
    const page = await openPage();
    await untilReady(page);
    const letter = await encodeLink({
      preset: 'bandit',
      engineVersion,
      shared: true,
      scalars: {},
      validation: [{ iteration: 8, success: 0.5 }],
    });
    for (const [link, why] of UNREADABLE) {
      await page.evaluate((to) => (location.hash = to), `#/lab?${letter}`);
      await page.getByRole('heading', { name: 'Someone sent you this run' }).waitFor({ timeout: patienceMs });
      await page.evaluate((to) => (location.hash = to), `#/lab?${link}`);
      await page.getByText(why).waitFor({ timeout: patienceMs });
      expect(await page.getByRole('heading', { name: 'Someone sent you this run' }).count()).toBe(0);
      expect(await button(page, 'Run it here').count()).toBe(0);
      await button(page, 'Open the calculator').click();
      await page.getByText(why).waitFor({ state: 'detached' });
      expect(new URL(page.url()).hash).toBe('#/lab');
    }
    await page.evaluate((to) => (location.hash = to), `#/lab?${letter}`);
    await page.getByText('The link says: the author’s agent solved 50 % of unseen tasks at iteration 8.').waitFor();
    await page.goBack();
    await page.getByRole('heading', { name: 'Someone sent you this run' }).waitFor({ state: 'detached' });
    expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Calculator');
    await page.evaluate(() => (location.hash = '#/qwerty'));
    await page.getByText('This address names no page of Agentlet.').waitFor();
  },
);

test(
  'code that hides itself is marked before it runs, and its words cannot cover the page',
  { timeout: longMs },
  async () => {
    const words = 'Your saved runs must be verified. \\u202e Open evil.example. ';
    const source =
      `// \u202e\u2066 turned\nconst e = new Error("\\n".repeat(120) + "${words}".repeat(9) + ` +
      `"\\n".repeat(120)); e.name = ""; throw e`;
    const link = await linkWithCode(source);
    const page = await openPage({ hash: `#/lab?${link}` });
    await untilReady(page);
    await page.getByText('This code contains invisible characters.').first().waitFor();
    const shown = await page.getByLabel('Source of the environment').first().innerText();
    expect(shown).toContain('\\u{202e}\\u{2066} turned');
    await trainButton(page).click();
    const alert = page.getByRole('alert');
    await alert.waitFor({ timeout: patienceMs });
    expect(await alert.innerText()).not.toMatch(/[\u202a-\u202e\u2066-\u2069]/);
    for (const viewport of [
      { width: 1440, height: 900 },
      { width: 390, height: 780 },
    ]) {
      await page.setViewportSize(viewport);
      const box = (await alert.boundingBox())!;
      expect(
        (box.width * box.height) / (viewport.width * viewport.height),
        'share of the window that it covers',
      ).toBeLessThan(0.5);
      for (const each of await alert.getByRole('button').all()) {
        const { y, height } = (await each.boundingBox())!;
        expect(y >= 0 && y + height <= viewport.height, 'a button in the window').toBe(true);
      }
    }
    await page.keyboard.press('Escape');
    await expect.poll(() => alert.count()).toBe(0);
  },
);

test(
  'a bad link that is pasted over a page at work changes the setup for the next run only',
  { timeout: longMs },
  async () => {
    const page = await openPage({ hash: shortLink({ steps: 2 }) });
    await untilReady(page);
    await button(page, 'Iterate').click();
    await untilStatus(page, /^Paused · iteration 1\/2/);
    await page.evaluate(() => (location.hash = '#/lab?v=1&layers=99'));
    await page
      .getByRole('list', { name: 'About this link' })
      .getByText(/layers/)
      .first()
      .waitFor({ timeout: patienceMs });
    await button(page, 'Iterate').click();
    await untilStatus(page, /^Finished · iteration 2\/2/);
  },
);
