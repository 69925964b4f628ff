/** The ways of people through the built page, from its first screen to what they came for. */
import { expect, inject, test } from 'vitest';
import { presetByName } from '../../src/config/presets';
import { decodeLink } from '../../src/share/link';
import { expectAccessibleEverywhere, openPage } from '../helpers/browser';
import { enter } from '../helpers/keyboard';
import { openComparison } from '../helpers/estimators-panel';
import { button, longMs, openShare, patienceMs, shortLink, trainButton, untilReady, untilStatus } from '../helpers/lab';

test(
  'a newcomer without a mouse picks a world, trains in it, asks the agent and shares the run',
  { timeout: 2 * longMs },
  async () => {
    const page = await openPage({ hash: '#/', gpu: 'no adapter' });
    await enter(page, page.getByRole('link', { name: presetByName('calculator-mini').title, exact: true }));
    await untilReady(page);
    await enter(page, trainButton(page));
    await untilStatus(page, /^Finished/, longMs);

    await page.keyboard.press('c');
    await expect
      .poll(() =>
        page.getByRole('textbox', { name: 'Message the agent' }).evaluate((each) => each === document.activeElement),
      )
      .toBe(true);
    await page.keyboard.type('7*8');
    await page.keyboard.press('Enter');
    const chat = page.getByRole('log', { name: 'Chat' });
    await expect.poll(() => chat.innerText(), { timeout: patienceMs }).toMatch(/56/);

    await enter(page, button(page, 'Share'));
    const box = page.getByRole('textbox', { name: 'Link', exact: true });
    await expect.poll(() => box.inputValue(), { timeout: patienceMs }).toMatch(/^http/);
    const { preset, validation, fingerprint } = await decodeLink(await box.inputValue());
    expect(preset).toBe('calculator-mini');
    expect(validation?.length).toBeGreaterThan(1);
    expect(fingerprint?.length).toBeGreaterThan(0);
    await page.keyboard.press('Escape');
    expect(await button(page, 'Share').evaluate((each) => each === document.activeElement)).toBe(true);
  },
);

test(
  'a visitor sees the curve of a link, runs it, and reads that it is the same run',
  { timeout: 2 * longMs },
  async () => {
    const author = await openPage({ hash: shortLink({ steps: 3, width: 32, ff: 32, device: 'cpu' }) });
    await untilReady(author);
    await trainButton(author).click();
    await untilStatus(author, /^Finished/);
    const link = await openShare(author);

    const page = await openPage({ hash: link.slice(inject('siteUrl').length), gpu: 'no adapter' });
    await page.getByRole('heading', { name: 'Someone sent you this run' }).waitFor({ timeout: patienceMs });
    expect(await page.getByRole('figure', { name: /^Success/ }).innerText()).toContain('author’s run');
    await untilReady(page);
    await expectAccessibleEverywhere(page, 'a link is open');
    await button(page, 'Run it here').click();
    await untilStatus(page, /^Finished/);
    await page.getByText(/^Same run: the first \d+ iterations match bit for bit/).waitFor({ timeout: patienceMs });
  },
);

test(
  'a teacher goes through the class hour, trains on the projector, and shares a Lab that shows less',
  { timeout: 2 * longMs },
  async () => {
    const page = await openPage({ hash: '#/learn/teachers', gpu: 'no adapter' });
    const parts = page.getByRole('table').getByRole('link');
    await expect.poll(() => parts.count(), { timeout: patienceMs }).toBeGreaterThan(3);
    await parts.filter({ hasText: 'Rollouts and reward' }).click();
    await page.getByRole('heading', { level: 1, name: 'Rollouts and reward' }).waitFor();
    await page.getByRole('switch', { name: 'Present' }).click();
    await page.getByRole('radio', { name: 'Yes, within some iterations' }).check();
    await button(page, 'Train it here').last().click();
    await page
      .getByText(/: from \d+\s% .* at iteration \d+\.$/)
      .first()
      .waitFor({ timeout: longMs });
    await expectAccessibleEverywhere(page, 'a lesson is presented');
    await page.getByRole('switch', { name: 'Present' }).click();
    await page.goBack();
    await page.getByRole('heading', { level: 1, name: 'For teachers' }).waitFor();

    await page.evaluate((to) => (location.hash = to), shortLink({ steps: 2 }));
    await untilReady(page);
    await trainButton(page).click();
    await untilStatus(page, /^Finished/);
    const whole = await openShare(page);
    await page.getByText('For a class: hide parts of the Lab').click();
    for (const part of ['the setup', 'the health']) await page.getByRole('checkbox', { name: part }).check();
    const link = await page.getByRole('textbox', { name: 'Link', exact: true }).inputValue();
    expect(link).toBe(whole.replace('#/lab?', '#/lab?hide=setup,health&'));

    const student = await openPage({ hash: link.slice(inject('siteUrl').length), gpu: 'no adapter' });
    await student.getByRole('heading', { name: 'Someone sent you this run' }).waitFor({ timeout: patienceMs });
    expect(await student.getByRole('tab').allTextContents()).toEqual(expect.not.arrayContaining(['Health']));
    expect(await student.getByLabel('Learning rate', { exact: true }).count()).toBe(0);
    await untilReady(student);
    await button(student, 'Run it here').click();
    await student.getByText(/^Same run/).waitFor({ timeout: longMs });
  },
);

test(
  'an expert changes the algorithm, sees why a token moved, sweeps a switch, and takes the run along',
  { timeout: 2 * longMs },
  async () => {
    const page = await openPage({ hash: shortLink({ steps: 3, device: 'cpu' }), gpu: 'no adapter' });
    await untilReady(page);
    await page.getByLabel('Algorithm', { exact: true }).selectOption('ppo');
    await page.getByLabel('Learning rate', { exact: true }).fill('0.001');
    await trainButton(page).click();
    await untilStatus(page, /^Finished/);

    await page.getByRole('combobox', { name: 'Filter by expression' }).fill('reward < 1 and turns >= 1');
    const reader = page.getByRole('article');
    await reader.getByRole('tab', { name: 'Tokens' }).click();
    await reader.getByText('Loss of this token in PPO').waitFor({ timeout: patienceMs });
    await openComparison(page);
    await page.getByRole('combobox', { name: 'Filter by expression' }).fill('');

    await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Runs' }).click();
    await button(page, 'Queue runs…').click();
    const dialog = page.getByRole('dialog', { name: 'Queue runs' });
    await dialog.getByLabel('one switch or choice').check();
    await dialog.getByRole('combobox', { name: /^Setting/ }).selectOption({ label: 'Loss mask' });
    await expect.poll(() => dialog.getByText(/loss mask off/i).count(), { timeout: patienceMs }).toBeGreaterThan(0);
    await dialog.getByRole('button', { name: /^Queue \d+ runs?$/ }).click();
    await button(page, 'Start').click();
    await page.getByText(/^The queue is done/).waitFor({ timeout: longMs });
    const queue = page.getByRole('region', { name: 'Queue' });
    await queue.getByRole('button', { name: /^Compare these \d$/ }).click();
    await page.getByRole('slider', { name: /Success.* at iteration/ }).waitFor({ timeout: patienceMs });

    await page
      .getByRole('button', { name: /^Details of/ })
      .first()
      .click();
    await page.getByText('Export', { exact: true }).first().click();
    for (const kind of ['Rollouts', 'Weights', 'Model card']) {
      const downloading = page.waitForEvent('download', { timeout: patienceMs });
      await page.getByRole('button', { name: new RegExp(`^${kind} `) }).click();
      expect((await downloading).suggestedFilename()).toMatch(/\.(jsonl|safetensors|md)$/);
    }
  },
);
