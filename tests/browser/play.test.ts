/** A visitor plays in the agent's place, by keyboard alone, and is scored beside the agent. */
import { expect, test } from 'vitest';
import { expectAccessible, openPage } from '../helpers/browser';
import { enter, tabTo } from '../helpers/keyboard';
import { longMs, patienceMs, untilReady } from '../helpers/lab';

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

test(
  'a card leads to a round of its own world, also while another world is being trained',
  { timeout: longMs },
  async () => {
    const page = await openPage({ hash: '#/', gpu: 'no adapter' });
    await page.getByRole('button', { name: 'Train it here' }).click();
    await page
      .getByRole('main')
      .getByText(/^RL iteration /)
      .waitFor({ timeout: longMs });
    await page.getByRole('link', { name: 'Now you: play Sokoban yourself' }).click();
    const dialog = page.getByRole('dialog', { name: 'Play it yourself' });
    await dialog.getByRole('img', { name: /^A room of five by five/ }).waitFor({ timeout: patienceMs });
  },
);

test('a card of the gallery leads to a round beside the recorded agent', { timeout: longMs }, async () => {
  const page = await openPage({ hash: '#/' });
  await enter(page, page.getByRole('link', { name: 'Now you: play Sokoban yourself' }));
  const dialog = page.getByRole('dialog', { name: 'Play it yourself' });
  await dialog.getByText('The agent answered this task, too.').waitFor({ timeout: patienceMs });
  await dialog.getByText(/^turn 1 of/).waitFor({ timeout: patienceMs });
  await page.keyboard.press('Escape');
  await page.getByRole('heading', { level: 1, name: 'Sokoban' }).waitFor();
});
