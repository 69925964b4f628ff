/** A visitor plays in the agent's place, by keyboard alone, is scored beside the agent, and teaches it. */
import { expect, test } from 'vitest';
import { readRounds } from '../../src/config/rounds';
import { openRunLink } from '../../src/config/run-link';
import { expectAccessible, expectAccessibleEverywhere, openPage } from '../helpers/browser';
import { enter, tabTo } from '../helpers/keyboard';
import { longMs, patienceMs, untilReady } from '../helpers/lab';
import { openRounds, teachRound } from '../helpers/round';

test('a round of the calculator is played by keyboard alone', { timeout: longMs }, async () => {
  const page = await openPage({ hash: '#/lab?v=1&preset=calculator' });
  await untilReady(page);
  await page.getByRole('button', { name: 'Stop replay' }).click();
  await enter(page, page.getByRole('button', { name: 'Play it yourself' }));
  const dialog = page.getByRole('dialog', { name: 'Play it yourself' });
  const field = dialog.getByRole('textbox', { name: /^expression/ });
  await dialog.getByText(/^turn 1 of/).waitFor({ timeout: patienceMs });
  await expect.poll(() => field.evaluate((each) => each === document.activeElement)).toBe(true);

  await page.keyboard.type('2+');
  await page.keyboard.press('Enter');
  await dialog.getByText(/^turn 2 of/).waitFor({ timeout: patienceMs });
  await field.focus();
  await page.keyboard.type('2+3');
  await page.keyboard.press('Enter');
  await dialog.getByText('5', { exact: true }).first().waitFor({ timeout: patienceMs });
  await expectAccessible(page, 'a round is played');

  await enter(page, dialog.getByRole('textbox', { name: /^text/ }));
  await dialog.getByText(/^Not solved/).waitFor({ timeout: patienceMs });
  const score = dialog.getByRole('region', { name: 'You and the agent on this task' });
  expect(await score.getByRole('row', { name: /^You no/ }).count()).toBe(1);
  expect(await score.getByRole('row', { name: /^Agent, before/ }).count()).toBe(1);
  expect(await score.getByRole('row', { name: /^Agent, after/ }).count()).toBe(1);
  const newTask = dialog.getByRole('button', { name: 'New task' });
  await expect.poll(() => newTask.evaluate((each) => each === document.activeElement)).toBe(true);
  await expectAccessible(page, 'a round is over');
  await page.keyboard.press('Enter');
  await dialog.getByText(/^turn 1 of/).waitFor({ timeout: patienceMs });
  await tabTo(page, dialog.getByRole('textbox', { name: /^text/ }));
  await page.keyboard.press('Escape');
  await expect.poll(() => dialog.isVisible()).toBe(false);
});

test('the drawing follows the moves, and another task is another board', { timeout: longMs }, async () => {
  const page = await openPage({ hash: '#/lab?v=1&preset=sokoban' });
  await untilReady(page);
  await page.getByRole('button', { name: 'Stop replay' }).click();
  await page.getByRole('button', { name: 'Play it yourself' }).click();
  const dialog = page.getByRole('dialog', { name: 'Play it yourself' });
  const board = dialog.getByRole('img', { name: /^A room of five by five/ });
  await board.waitFor({ timeout: patienceMs });
  const first = await board.getAttribute('aria-label');
  await page.keyboard.type('right');
  await page.keyboard.press('Enter');
  await dialog.getByText(/^turn 2 of/).waitFor({ timeout: patienceMs });
  const moved = await board.getAttribute('aria-label');
  expect(moved).not.toBe(first);
  await dialog.getByRole('button', { name: 'New task' }).click();
  await dialog.getByText(/^turn 1 of/).waitFor({ timeout: patienceMs });
  expect([first, moved]).not.toContain(await board.getAttribute('aria-label'));
});

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

test('a card of the gallery leads to a round beside the recorded agent', { timeout: longMs }, async () => {
  const page = await openPage({ hash: '#/' });
  await enter(page, page.getByRole('link', { name: 'Now you: play Sokoban yourself' }));
  const dialog = page.getByRole('dialog', { name: 'Play it yourself' });
  await dialog.getByText('The agent answered this task, too.').waitFor({ timeout: patienceMs });
  await dialog.getByText(/^turn 1 of/).waitFor({ timeout: patienceMs });
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { level: 1, name: 'Sokoban' }).waitFor();
});
