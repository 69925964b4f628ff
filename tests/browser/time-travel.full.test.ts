/** Time travel: earlier agents of a run answer the same tasks, and the run branches off one with one thing changed. */
import { expect, test } from 'vitest';
import { decodeLink } from '../../src/share/link';
import { expectAccessibleEverywhere, openPage } from '../helpers/browser';
import {
  button,
  longMs,
  openMenu,
  openShare,
  patienceMs,
  shortLink,
  trainButton,
  untilReady,
  untilStatus,
} from '../helpers/lab';

test('a person scrubs by keyboard, compares two agents, and branches', { timeout: longMs }, async () => {
  const page = await openPage({ hash: shortLink({ steps: 6 }) });
  await untilReady(page);
  const panel = page.getByRole('region', { name: 'Time travel' });
  expect(await panel.count(), 'there is nothing to go back to').toBe(0);
  await trainButton(page).click();
  await untilStatus(page, /^Finished/);

  const slider = panel.getByRole('slider', { name: 'Checkpoint' });
  const place = () => slider.getAttribute('aria-valuetext');
  await expect.poll(place, { timeout: patienceMs }).toBe('Agent of iteration 6 of 6');
  await slider.focus();
  await page.keyboard.press('Home');
  await panel.getByText(/^Agent before iteration 1 solves \d of 3 tasks, that of iteration 6 solves \d\.$/).waitFor();
  const answers = panel.getByRole('article');
  expect(await answers.count()).toBe(6);
  const prompts = await answers.locator('.prompt').allTextContents();
  expect(prompts.filter((_, i) => i % 2 === 0)).toEqual(prompts.filter((_, i) => i % 2 === 1));
  expect(await answers.getByText(/^(✓ right|✗ wrong)$/).count()).toBe(6);
  const first = await answers.allInnerTexts();

  // Storage may have been too slow for some steps.
  for (const key of [']', 'ArrowRight', '[']) await page.keyboard.press(key);
  const [, step] = /^Agent of iteration (\d) of 6$/.exec((await place())!)!;
  await panel.getByText(new RegExp(`^Agent of iteration ${step} solves`)).waitFor();
  expect(await answers.allInnerTexts()).not.toEqual(first);
  await page.getByText(`iteration ${step} · rollout`).first().waitFor();
  await openMenu(page);
  await page.getByRole('button', { name: 'Keyboard shortcuts' }).click();
  await page.getByRole('dialog').getByText('agent of an earlier and a later iteration').waitFor();
  await page.keyboard.press('Escape');
  await expectAccessibleEverywhere(page, 'an earlier agent has answered');

  const branch = panel.getByRole('button', { name: 'Branch' });
  await panel.getByText('Choose another value than the run has.').waitFor();
  expect(await branch.isDisabled()).toBe(true);
  const value = panel.getByLabel('New value');
  await value.fill('7');
  await panel.getByText(/from 1e-7 to 0\.1/).waitFor();
  await value.fill('0.0004');
  await panel.getByText('It goes on as a new run.').waitFor();
  await branch.click();
  await page
    .getByText(
      `The run goes on from iteration ${step} with Learning rate 0.0004. The run before it is saved: ` +
        `Calculator, iteration 6.`,
    )
    .waitFor({ timeout: patienceMs });
  await untilStatus(page, /^Finished/);
  await page.getByText(`Dashed line: the setup changed after iteration ${step}.`).waitFor();
  await expect.poll(place, { timeout: patienceMs }).toBe('Agent of iteration 6 of 6');
  expect(await page.getByLabel('Learning rate', { exact: true }).inputValue()).toBe('4e-4');
  const link = await decodeLink(await openShare(page));
  expect([link.curve, link.fingerprint]).toEqual([null, null]);
  expect(link.scalars).toMatchObject({ lr: '4e-4' });
  await page.keyboard.press('Escape');

  await page.evaluate(() => (location.hash = '#/runs'));
  const details = page.getByRole('button', { name: /^Details of/ });
  await details.first().click();
  await page.getByText('Changed since then: Learning rate 0.0015 → 4e-4.').waitFor();
  await page.getByText(`Its setup changed after iteration ${step}`).waitFor();
  await page.goBack();
  await button(page, 'Undo').click();
  await untilStatus(page, /^Finished.*iteration 6\/6/);
  await expect.poll(() => page.getByText('Dashed line').count()).toBe(0);
  await expect.poll(place, { timeout: patienceMs }).toBe('Agent of iteration 6 of 6');
});
