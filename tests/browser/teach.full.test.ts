/**
 * A visitor teaches the agent by rounds of their own; and the whole way by the keyboard alone: train, look, play,
 * teach, share, and a stranger opens the link.
 */
import { expect, inject, test } from 'vitest';
import { presetByName } from '../../src/config/presets';
import { readRounds } from '../../src/config/rounds';
import { openRunLink } from '../../src/config/run-link';
import { expectAccessibleEverywhere, openPage } from '../helpers/browser';
import { enter } from '../helpers/keyboard';
import { button, longMs, patienceMs, trainButton, untilReady, untilStatus } from '../helpers/lab';
import { openRounds, playRound, teachRound } from '../helpers/round';

test('solved practice rounds teach, are in the address, and can be taken away', { timeout: longMs }, async () => {
  const page = await openPage({ hash: '#/lab?v=1&preset=calculator-mini' });
  await untilReady(page);
  await page.getByRole('button', { name: 'Stop replay' }).click();
  const dialog = await openRounds(page);
  await enter(page, dialog.getByRole('button', { name: 'Teach the agent' }));
  await dialog.getByText(/^A practice task/).waitFor({ timeout: patienceMs });
  await dialog.getByText(/^turn 1 of/).waitFor({ timeout: patienceMs });

  await enter(page, dialog.getByRole('textbox', { name: /^text/ }));
  await dialog.getByText('Only a round that solves its task teaches.').waitFor({ timeout: patienceMs });
  expect(await dialog.getByRole('button', { name: 'Use this round to teach' }).count()).toBe(0);
  await page.keyboard.press('Enter');
  await dialog.getByText(/^turn 1 of/).waitFor({ timeout: patienceMs });

  const rounds = dialog.getByRole('region', { name: 'Rounds that teach' });
  for (const count of ['1 round', '2 rounds', '3 rounds']) {
    await teachRound(page, dialog);
    await rounds.getByText(`The next training copies your ${count},`).waitFor({ timeout: patienceMs });
  }
  await rounds.getByText('Rounds that teach', { exact: true }).click();
  expect(await rounds.getByRole('listitem').count()).toBe(3);
  await expectAccessibleEverywhere(page, 'three rounds teach');
  await rounds.getByRole('button', { name: 'Remove round 2' }).click();
  await rounds.getByText('your 2 rounds,').waitFor();
  const carried = async () =>
    readRounds((await openRunLink(await page.evaluate(() => location.hash))).config.warmStart.rounds).map(
      ({ task }) => task,
    );
  await expect.poll(carried, { timeout: patienceMs }).toEqual([1, 3]);
  await page.reload();
  await untilReady(page);
  expect(await carried()).toEqual([1, 3]);

  const again = await openRounds(page);
  await again.getByRole('button', { name: 'Teach the agent' }).click();
  await again.getByText('your 2 rounds,').waitFor({ timeout: patienceMs });
  await again.getByText('Rounds that teach', { exact: true }).click();
  await again.getByRole('button', { name: 'Remove all' }).click();
  await again.getByText('No round teaches yet.').waitFor();
});

test(
  'a visitor trains, plays, teaches five rounds and shares; the link reproduces',
  { timeout: 6 * longMs },
  async () => {
    const page = await openPage({ hash: '#/', gpu: 'no adapter' });
    await enter(page, page.getByRole('link', { name: presetByName('calculator-mini').title, exact: true }));
    await untilReady(page);
    await enter(page, trainButton(page));
    const crowd = page.getByRole('region', { name: 'Its rollouts' });
    await crowd
      .getByRole('button', { name: /^Rollout \d+/ })
      .first()
      .waitFor({ timeout: longMs });
    await untilStatus(page, /^Finished/, longMs);

    const dialog = await openRounds(page, 'Now you');
    await dialog.getByText('The agent answered this task, too.').waitFor({ timeout: patienceMs });
    await playRound(page, dialog);
    await dialog.getByRole('region', { name: 'You and the agent on this task' }).waitFor();
    await enter(page, dialog.getByRole('button', { name: 'Teach the agent' }));
    await dialog.getByText(/^A practice task/).waitFor({ timeout: patienceMs });
    await dialog.getByText(/^turn 1 of/).waitFor({ timeout: patienceMs });
    for (let round = 0; round < 5; round++) await teachRound(page, dialog);
    await dialog.getByText('The next training copies your 5 rounds,').waitFor();
    await page.keyboard.press('Escape');

    await enter(page, button(page, 'Train again'));
    await untilStatus(page, /warm|copies|example/i, longMs);
    await untilStatus(page, /^Finished/, 2 * longMs);
    await enter(page, button(page, 'Share'));
    const box = page.getByRole('textbox', { name: 'Link', exact: true });
    await expect.poll(() => box.inputValue(), { timeout: patienceMs }).toMatch(/^http/);
    const link = await box.inputValue();
    const { config, fingerprint } = await openRunLink(link);
    expect(readRounds(config.warmStart.rounds).map(({ task }) => task)).toEqual([0, 1, 2, 3, 4]);
    expect(fingerprint?.length).toBeGreaterThan(0);

    const stranger = await openPage({ hash: link.slice(inject('siteUrl').length), gpu: 'no adapter' });
    await stranger.getByRole('heading', { name: 'Someone sent you this run' }).waitFor({ timeout: patienceMs });
    await untilReady(stranger);
    await enter(stranger, button(stranger, 'Run it here'));
    await untilStatus(stranger, /^Finished/, 2 * longMs);
    await stranger.getByText(/^Same run: the first \d+ iterations match bit for bit/).waitFor({ timeout: patienceMs });
  },
);
