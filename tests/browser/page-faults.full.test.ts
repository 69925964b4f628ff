/** The page is reloaded, hidden, killed or opened twice: what a visitor has here is offered, kept, and goes on. */
import { expect, test } from 'vitest';
import { expectNextIteration, midRun, openEndless, reloadAndResume, train } from '../helpers/broken-run';
import { expectAccessibleEverywhere } from '../helpers/browser';
import { crashPage, setVisible, show } from '../helpers/faults';
import {
  atStatus,
  button,
  longMs,
  openLatestRun,
  patienceMs,
  shortLink,
  statusOf,
  trainButton,
  untilReady,
  untilStatus,
} from '../helpers/lab';
import { expectFailure, expectNotice } from '../helpers/notices';
import { saveByHiding } from '../helpers/saves';

test('the page is reloaded in its warm start', { timeout: longMs }, async () => {
  const page = await openEndless();
  await untilReady(page);
  await trainButton(page).click();
  await atStatus(page, /^Copying examples/, show, 'hidden');
  await page.getByText('warm start saved').waitFor({ timeout: patienceMs });
  const resume = await reloadAndResume(page, /can go on: in its warm start, saved this minute/);
  await resume.click();
  await expectNextIteration(page);
});

test(
  'the page is reloaded while it saves, again and again: one of two generations is always whole',
  { timeout: longMs },
  async () => {
    const page = await openEndless();
    await train(page, midRun);
    await saveByHiding(page);
    for (let reload = 0; reload < 3; reload++) {
      const resume = await reloadAndResume(page, /can go on: iteration \d+ of/);
      await resume.click();
      await untilStatus(page, /^RL iteration/);
      await setVisible(page, false);
    }
    const resume = await reloadAndResume(page, /can go on: iteration \d+ of/);
    await resume.click();
    await expectNextIteration(page);
  },
);

test(
  'the page is hidden for two minutes: the run is saved, and on return the page says what became of it',
  { timeout: longMs },
  async () => {
    const page = await openEndless();
    await train(page, midRun);
    await setVisible(page, false);
    await page.getByText(/saved at iteration \d+/).waitFor({ timeout: patienceMs });
    await page.evaluate(() => {
      const { now } = Date;
      Date.now = () => now() + 120_000;
    });
    await setVisible(page, true);
    await expectNotice(page, /hidden for 2 minutes.*the run made \d+ iterations? and is saved at iteration \d+\./, [
      'Download checkpoint',
    ]);
    await expectNextIteration(page);
  },
);

test(
  'the page dies with all its workers: another tab is offered the run and may train',
  { timeout: longMs },
  async () => {
    const page = await openEndless();
    await train(page, midRun);
    await saveByHiding(page);
    await crashPage(page);
    const next = await page.context().newPage();
    await next.goto(page.url());
    const banner = await expectNotice(next, /can go on: iteration \d+ of/, ['Resume']);
    await untilReady(next);
    await banner.getByRole('button', { name: 'Resume' }).click();
    await expectNextIteration(next);
  },
);

test('the page is open in a second tab: that one does not train, and says so', { timeout: longMs }, async () => {
  const page = await openEndless();
  await train(page, midRun);
  const second = await page.context().newPage();
  await second.goto(page.url());
  await untilReady(second);
  await trainButton(second).click();
  const again = await expectFailure(second, /Another tab of this browser is training/, 'Try again');
  expect(await statusOf(page)).toMatch(/^RL iteration/);
  await page.close();
  await again.click();
  await untilStatus(second, midRun);
});

test('a run and edits of the setup stay when a link is opened', { timeout: longMs }, async () => {
  const page = await openEndless();
  await train(page, midRun);
  await button(page, 'Pause').click();
  await untilStatus(page, /^Paused/);
  const seed = page.getByRole('textbox', { name: 'Seed' });
  await seed.fill('4711');
  await seed.press('Enter');
  await page.evaluate((hash) => (location.hash = hash), shortLink({ seed: 5 }));
  const notice = await expectNotice(page, /your own edits are kept/, ['Back to your setup']);
  expect(await seed.inputValue()).toBe('5');
  expect(await statusOf(page)).toMatch(/^Paused · iteration [1-9]/);
  await notice.getByRole('button', { name: 'Back to your setup' }).click();
  expect(await seed.inputValue()).toBe('4711');
  await trainButton(page).click();
  await expectNextIteration(page);
});

test(
  'a run is offered after the browser put the tab to sleep, listed, and brought back once it was deleted',
  { timeout: longMs },
  async () => {
    const discarded = () => Object.defineProperty(document, 'wasDiscarded', { get: () => true });
    const page = await openEndless({ before: (opening) => opening.addInitScript(discarded) });
    await train(page, midRun);
    await saveByHiding(page);
    await page.reload();
    await expectNotice(
      page,
      /^The browser discarded this tab\. Your run of Calculator with seed 1 can go on: iteration \d+ of/,
      ['Resume'],
    );
    await untilReady(page);
    await openLatestRun(page);
    await expectAccessibleEverywhere(page, 'the runs are listed and one is open');
    const offer = page.getByRole('note').filter({ hasText: 'Your run of Calculator' });
    expect(await offer.count()).toBe(1);
    const details = page.getByRole('button', { name: /^Details of/ });
    await page.getByRole('button', { name: /^Delete: / }).click();
    await expect.poll(() => details.count()).toBe(0);
    await expect.poll(() => offer.count()).toBe(0);
    await button(page, 'Bring it back').click();
    await expect.poll(() => details.count()).toBe(1);
  },
);
