/** The reward desk: rollouts scored again under other weights, and a run that goes on with them. */
import { expect, test } from 'vitest';
import { decodeLink } from '../../src/share/link';
import { expectAccessibleEverywhere, openPage } from '../helpers/browser';
import { openDialog, press, shop, written } from '../helpers/environment-dialog';
import { button, longMs, openShare, patienceMs, shortLink, untilReady, untilStatus } from '../helpers/lab';

test('weights are changed, the same rollouts move, and the run goes on with them', { timeout: longMs }, async () => {
  const page = await openPage({ hash: shortLink({ steps: 4 }) });
  await button(page, 'Step').click();
  await untilStatus(page, /Paused.*step 1\/4/);
  const reader = page.getByRole('article');
  await reader.getByRole('button', { name: 'Reward desk' }).click();
  const desk = page.getByRole('dialog', { name: 'Reward desk' });
  await desk.getByText('16 rollouts of step 1, scored again by GRPO').waitFor();
  const apply = desk.getByRole('button', { name: 'Go on with this reward' });
  await desk.getByText('Change a weight to see what moves.').waitFor();
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
  await desk.getByText('These weights count from the next step on, in a new run.').waitFor();
  await expectAccessibleEverywhere(page, 'the reward desk is open');

  await apply.click();
  await untilStatus(page, /^Finished/);
  await page.getByText('The run before it is saved: Calculator, step 1.').waitFor();
  await page.getByText('Dashed line: the reward changed after step 1.').waitFor();
  await expectAccessibleEverywhere(page, 'the reward has changed');
  const link = await decodeLink(await openShare(page));
  expect([link.curve, link.validation, link.fingerprint]).toEqual([null, null, null]);
  expect(link.scalars).toMatchObject({ 'reward.calls': '2', 'reward.wasted': '-1' });
  await page.getByText('no curve: the reward of this run changed after step 1').waitFor();
});

test('a recorded run is scored again, and says what is not there', { timeout: longMs }, async () => {
  const page = await openPage({ hash: '#/lab?v=1&preset=calculator&rollout=40/97', gpu: 'no adapter' });
  const reader = page.getByRole('article');
  await reader.getByText('step 40 · rollout 97 ·').waitFor();
  await reader.getByRole('button', { name: 'Reward desk' }).click();
  const desk = page.getByRole('dialog', { name: 'Reward desk' });
  await desk.getByText(/^Of the step’s 256 rollouts, \d+ are here\./).waitFor();
  await desk.getByLabel('Weight of correct').fill('0.5');
  await expect.poll(() => desk.getByText(/→/).count(), { timeout: patienceMs }).toBeGreaterThan(0);
  await desk.getByText('Only a run of this tab can go on with another reward').waitFor();
});

test('the code of one’s own reward is a press away; a run that has ended says so', { timeout: longMs }, async () => {
  const page = await openPage({ hash: shortLink({ steps: 1 }) });
  await untilReady(page);
  const { dialog } = await openDialog(page);
  const file = { name: 'shop.js', mimeType: 'text/javascript', buffer: Buffer.from(shop) };
  await dialog.getByLabel('Open a file').setInputFiles(file);
  await expect.poll(() => written(page)).toBe(shop);
  await press(dialog, 'Train with it');
  // What the check noted about a run of one step.
  const anyway = dialog.getByRole('button', { name: 'Train anyway' });
  await expect.poll(async () => (await dialog.isHidden()) || (await anyway.isVisible())).toBe(true);
  if (await anyway.isVisible()) await anyway.click();
  await untilStatus(page, /^Finished/);
  await page.getByRole('article').getByRole('button', { name: 'Reward desk' }).click();
  const desk = page.getByRole('dialog', { name: 'Reward desk' });
  await desk.getByText('This run has ended').waitFor();
  await desk.getByRole('button', { name: 'Edit the reward’s code' }).click();
  await dialog.getByText('Corner shop').first().waitFor();
  expect(await desk.isVisible()).toBe(false);
});
