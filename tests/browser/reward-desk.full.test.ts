/** The reward desk: rollouts scored again under other weights or other code, and a run that goes on with them. */
import { expect, test } from 'vitest';
import { decodeLink } from '../../src/share/link';
import { expectAccessibleEverywhere, openPage } from '../helpers/browser';
import { builtInEnvironments } from '../../src/environments/built-in';
import { button, longMs, openShare, patienceMs, shortLink, trainButton, untilStatus } from '../helpers/lab';

const { calculator } = builtInEnvironments;
const scores = 'return { success, correct: Number(success), calls, wasted }';

test('weights are changed, the same rollouts move, and the run goes on with them', { timeout: longMs }, async () => {
  const page = await openPage({ hash: shortLink({ steps: 4 }) });
  await button(page, 'Iterate').click();
  await untilStatus(page, /Paused.*iteration 1\/4/);
  await button(page, 'Reward desk').click();
  const desk = page.getByRole('dialog', { name: 'Reward desk' });
  await desk.getByText('16 rollouts of iteration 1, scored again by GRPO').waitFor();
  const apply = desk.getByRole('button', { name: 'Go on with this reward' });
  await desk.getByText('Change a weight or the code to see what moves.').waitFor();
  expect(await desk.getByText('did not move').count()).toBe(4);
  expect(await apply.isDisabled()).toBe(true);

  const weight = desk.getByLabel('Weight of correct');
  await weight.fill('11');
  await desk.getByText(/from -10 to 10/).waitFor();
  await desk.getByText('One weight is out of range: correct it first.').waitFor();
  await weight.fill('1');
  await desk.getByLabel('Weight of wasted').fill('-1');
  await desk.getByLabel('Weight of calls').fill('2');
  await expect.poll(() => desk.getByText(/→/).count(), { timeout: patienceMs }).toBeGreaterThan(0);
  expect(await desk.getByText(/^moved by up to/).count()).toBeGreaterThan(0);
  await desk.getByText('This reward counts from the next iteration on, in a new run.').waitFor();
  await expectAccessibleEverywhere(page, 'the reward desk is open');

  await apply.click();
  await untilStatus(page, /^Finished/);
  await page.getByText('The run before it is saved: Calculator, iteration 1.').waitFor();
  await page.getByText('Dashed line: the setup changed after iteration 1.').waitFor();
  // Somewhere down the page its bar would cover half of a field.
  await page.evaluate(() => scrollTo(0, 0));
  await expectAccessibleEverywhere(page, 'the reward has changed');
  const link = await decodeLink(await openShare(page));
  expect([link.curve, link.validation, link.fingerprint]).toEqual([null, null, null]);
  expect(link.scalars).toMatchObject({ 'reward.calls': '2', 'reward.wasted': '-1' });
  await page.getByText('no curve: the setup of this run changed after iteration 1').waitFor();
  await page.keyboard.press('Escape');

  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Runs' }).click();
  await page
    .getByRole('checkbox', { name: /^Compare / })
    .first()
    .check();
  await page.getByText(/^Dashed line: the setup of .* changed after iteration 1\.$/).waitFor();
  await expectAccessibleEverywhere(page, 'a run whose setup changed is compared');
});

test('a recorded run is scored again, and says what is not there', { timeout: longMs }, async () => {
  const page = await openPage({ hash: '#/lab?v=1&preset=calculator&rollout=40/97', gpu: 'no adapter' });
  const reader = page.getByRole('article');
  await reader.getByText('iteration 40 · rollout 97', { exact: true }).waitFor();
  await button(page, 'Reward desk').click();
  const desk = page.getByRole('dialog', { name: 'Reward desk' });
  await desk.getByText(/^Of the iteration’s 256 rollouts, \d+ are here\./).waitFor();
  await desk.getByLabel('Weight of correct').fill('0.5');
  await expect.poll(() => desk.getByText(/→/).count(), { timeout: patienceMs }).toBeGreaterThan(0);
  await desk.getByText('Only a run of this tab can go on with another reward').waitFor();
});

test(
  'the code is changed, the same rollouts are played again, and the run goes on with it',
  { timeout: longMs },
  async () => {
    const page = await openPage({ hash: shortLink({ steps: 3 }) });
    await button(page, 'Iterate').click();
    await untilStatus(page, /Paused.*iteration 1\/3/);
    await button(page, 'Reward desk').click();
    const desk = page.getByRole('dialog', { name: 'Reward desk' });
    await desk.getByRole('button', { name: 'Edit the reward’s code' }).click();
    const code = desk.getByLabel('Code of the environment (JavaScript)');
    await code.press('Control+a');
    await page.keyboard.insertText(calculator.replace(scores, 'return { success success }'));
    await desk.getByRole('alert').filter({ hasText: 'could not be scored' }).waitFor();
    await desk.getByText('This code cannot be used: correct it first.').waitFor();
    await code.press('Control+a');
    await page.keyboard.insertText(calculator.replace(scores, 'return { success, correct: lost }'));
    await desk.getByText(/^Your code failed in 16 of 16 rollouts: .*lost/).waitFor();

    const paid = scores.replace(' }', ', effort: steps.length }');
    await code.press('Control+a');
    await page.keyboard.insertText(
      calculator
        .replace(scores, paid)
        .replace('rewards: {', "rewards: { effort: { description: 'Turns.', weight: 1 },"),
    );
    await desk.getByLabel('Weight of effort').waitFor();
    await expect.poll(() => desk.getByText(/→/).count(), { timeout: patienceMs }).toBeGreaterThan(0);
    expect(await desk.getByText(/Your code (changes|failed)/).count()).toBe(0);
    await expectAccessibleEverywhere(page, 'the reward’s code is open in the desk');

    await desk.getByRole('button', { name: 'Go on with this reward' }).click();
    await untilStatus(page, /^Finished/);
    await page.getByText('Dashed line: the setup changed after iteration 1.').waitFor();
    await page.getByLabel('Preset').getByText('Your own: Calculator').waitFor({ state: 'attached' });
    const link = await decodeLink(await openShare(page));
    expect([link.curve, link.fingerprint]).toEqual([null, null]);
    expect(link.source).toContain(paid);
  },
);

test('a run that has ended says so', { timeout: longMs }, async () => {
  const page = await openPage({ hash: shortLink({ steps: 1 }) });
  await trainButton(page).click();
  await untilStatus(page, /^Finished/);
  await button(page, 'Reward desk').click();
  const desk = page.getByRole('dialog', { name: 'Reward desk' });
  await desk.getByText('This run has ended').waitFor();
});
