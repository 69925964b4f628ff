import { expect, test } from 'vitest';
import { expectAccessibleEverywhere, openPage } from '../helpers/browser';
import { button, longMs, patienceMs, untilStatus } from '../helpers/lab';

test(
  'lessons are walked by keyboard, their figures compute, and they lead into the Lab',
  { timeout: longMs },
  async () => {
    const page = await openPage({ hash: '#/learn' });
    const heading = (name: string) => page.getByRole('heading', { level: 1, name, exact: true });
    const followByKey = async (name: string | RegExp) => {
      await page.getByRole('link', { name }).focus();
      await page.keyboard.press('Enter');
    };
    await heading('Learn').waitFor();
    await expectAccessibleEverywhere(page, 'the lessons are listed');

    await followByKey('Agent and tool');
    await heading('Agent and tool').waitFor();
    await page.getByRole('heading', { name: /^After \d+ iterations ✓ right$/ }).waitFor({ timeout: patienceMs });
    await expectAccessibleEverywhere(page, 'the first lesson is open');

    await page.getByRole('switch', { name: 'Present' }).press('Space');
    await heading('Agent and tool').focus();
    await page.keyboard.press('ArrowRight');
    expect(await page.evaluate(() => document.activeElement?.textContent)).toBe('A model that may ask');
    await page.getByRole('switch', { name: 'Present' }).press('Space');

    await followByKey(/^Next:/);
    await heading('Rollouts and reward').waitFor();
    await followByKey(/^Next:/);
    await heading('Advantages and groups').waitFor();
    const cells = page.getByRole('row', { name: /^1 said/ }).getByRole('cell');
    await expect.poll(() => cells.nth(1).textContent(), { timeout: patienceMs }).toMatch(/^[+−]\d/);
    await button(page, 'One right').press('Enter');
    await expect.poll(() => cells.nth(1).textContent()).toBe('+2.47');
    const before = await cells.nth(2).textContent();
    await page.getByRole('slider', { name: 'Reward of attempt 2' }).press('End');
    await expect.poll(() => cells.nth(2).textContent()).not.toBe(before);

    const question = page.getByRole('group', { name: /^Question 1/ });
    await question.getByRole('radio').first().press('Space');
    await question.getByText('Not quite.').waitFor();
    await question.getByRole('radio', { name: 'Nothing' }).press('Space');
    await question.getByText('Right.', { exact: true }).waitFor();
    await page.getByRole('radio', { name: 'It shrinks' }).press('Space');
    await expectAccessibleEverywhere(page, 'a lesson is answered');

    await page.evaluate(() => (location.hash = '#/learn/2'));
    await page.getByRole('radio', { name: 'Yes, within some iterations' }).press('Space');
    await button(page, 'Train it here').last().press('Enter');
    await page
      .getByText(/^Two slot machines: from \d+\s% .* at iteration 12\.$/)
      .first()
      .waitFor({ timeout: patienceMs });
    await expectAccessibleEverywhere(page, 'a figure has trained');

    await page.evaluate(() => (location.hash = '#/learn/4'));
    const inLoss = async (mask: string) => {
      await button(page, mask).press('Enter');
      await page.getByText(new RegExp(`^${mask}: the iteration trained on`)).waitFor({ timeout: patienceMs });
      return parseInt(await page.getByText(/^\d+ tokens in the loss$/).innerText());
    };
    expect(await inLoss('Neither mask')).toBeGreaterThan(await inLoss('Both masks'));

    await page.evaluate(() => (location.hash = '#/learn/teachers'));
    await heading('For teachers').waitFor();
    await expectAccessibleEverywhere(page, 'the page for teachers is open');

    await page.evaluate(() => (location.hash = '#/learn/3'));
    await followByKey('Open this in the Lab');
    await untilStatus(page, /^Ready/);
    expect(page.url()).toMatch(/preset=calculator-mini.*algo=dr-grpo/);
  },
);
