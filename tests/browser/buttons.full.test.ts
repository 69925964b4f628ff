/** Buttons pressed while a run prepares, trains, pauses and ends: nothing breaks, and the next right press works. */
import { expect, test } from 'vitest';
import type { Route } from '@playwright/test';
import { expectAccessible, expectAccessibleEverywhere, openPage } from '../helpers/browser';
import {
  atStatus,
  button,
  longMs,
  openChat,
  openShare,
  patienceMs,
  press,
  recordStatus,
  shortLink,
  statusOf,
  stepOf,
  trainButton,
  untilReady,
  untilStatus,
} from '../helpers/lab';

test(
  'before training: Share gives the setup, the chat waits, and Train pressed twice at once starts one run',
  { timeout: longMs },
  async () => {
    const page = await openPage({ hash: shortLink({ steps: 4 }) });
    await untilReady(page);
    expect(await openShare(page)).not.toContain('&x=');
    await page.keyboard.press('Escape');
    await (await openChat(page)).fill('3+4');
    await page.keyboard.press('Enter');
    expect(await page.getByRole('log').count()).toBe(0);
    expect(await button(page, 'Reset').isDisabled()).toBe(true);

    await page.evaluate(() => {
      const train = [...document.querySelectorAll('button')].find((each) => each.textContent?.trim() === 'Train')!;
      train.click();
      train.click();
    });
    await untilStatus(page, /^(Finished|Paused)/);
    // The second press may land on Pause, which has taken the place of Train by then.
    if ((await statusOf(page)).startsWith('Paused')) await trainButton(page).click();
    await untilStatus(page, /^Finished · iteration 4\/4/);
    expect(await page.getByRole('alert').count()).toBe(0);
  },
);

test('Reset while preparing, twice, and then Train: one whole run', { timeout: longMs }, async () => {
  const page = await openPage({ hash: shortLink({ steps: 4 }) });
  await untilReady(page);
  await trainButton(page).click();
  await page.evaluate(pressTwice, 'Reset');
  await untilStatus(page, /^Ready · iteration 0\/4/);
  await page.waitForTimeout(3000);
  expect(await statusOf(page), 'some seconds after Reset').toBe('Ready · iteration 0/4');
  await trainButton(page).click();
  await atStatus(page, /^Copying examples/, pressTwice, 'Reset');
  await untilStatus(page, /^Ready · iteration 0\/4/);
  await trainButton(page).click();
  await untilStatus(page, /^Finished · iteration 4\/4/);
  expect(await button(page, 'Iterate').isDisabled()).toBe(true);
  const seen = await recordStatus(page);
  await button(page, 'Train again').click();
  await untilStatus(page, /iteration 0\/4/);
  await untilStatus(page, /^Finished · iteration 4\/4/);
  await page.getByText(/^Run cleared: .*, iteration 4\. It is saved/).waitFor();
  expect(await seen(), 'a whole run again').toContainEqual(
    expect.stringMatching(/^(Compiling|Preparing|Copying).*iteration 0\/4/),
  );
  expect(await page.getByRole('alert').count()).toBe(0);

  function pressTwice(label: string) {
    const found = [...document.querySelectorAll('button')].find((each) => each.textContent?.trim() === label)!;
    found.click();
    found.click();
  }
});

test('Step, Share and questions while it trains, Reset in the middle of an answer', { timeout: longMs }, async () => {
  const page = await openPage({ hash: shortLink({ steps: 10_000 }) });
  await untilReady(page);
  await trainButton(page).click();
  await untilStatus(page, /^RL iteration [1-9]/);
  expect(await button(page, 'Iterate').isDisabled()).toBe(true);
  await page.keyboard.press('.');
  await expectAccessibleEverywhere(page, 'training');
  await openShare(page);
  await expectAccessible(page, 'sharing while it trains');
  await page.keyboard.press('Escape');
  const box = await openChat(page);
  for (const question of ['3+4', 'What is the weather? ☂ <|im_end|>']) {
    await box.fill(question);
    await box.press('Enter');
    await expect
      .poll(() => page.getByRole('log', { name: 'Chat' }).innerText(), { timeout: 60_000 })
      .not.toMatch(/answering…/);
  }
  const before = await stepOf(page);
  await expect.poll(() => stepOf(page), { timeout: 60_000 }).toBeGreaterThan(before);
  await box.fill('5+6');
  await box.press('Enter');
  await button(page, 'Reset').click();
  await untilStatus(page, /^Ready · iteration 0\/10000/);
  await button(page, 'Iterate').click();
  await untilStatus(page, /^Paused · iteration 1\/10000/);
  expect(await page.getByRole('alert').allTextContents()).toEqual([]);
});

test('Pause in the warm start and just before the end hold and let go', { timeout: longMs }, async () => {
  const page = await openPage({ hash: shortLink({ warm: 60, steps: 2 }) });
  await untilReady(page);
  await trainButton(page).click();
  await atStatus(page, /^Copying examples [1-9]/, press, 'Pause');
  await untilStatus(page, /^Paused · iteration 0\/2/);
  await button(page, 'Iterate').click();
  await untilStatus(page, /^Paused · iteration 1\/2/);
  await trainButton(page).click();
  // Pause and Train as fast as they come: the last press may reach a run that is already over.
  const toggle = () =>
    page.evaluate(() => {
      const isOver = document.querySelector('[role="status"]')!.textContent!.startsWith('Finished');
      const found = [...document.querySelectorAll('button')].find((each) =>
        /^(Pause|Train)$/.test(each.textContent!.trim()),
      );
      if (!isOver) found?.click();
      return isOver;
    });
  await expect.poll(toggle, { interval: 15, timeout: patienceMs }).toBe(true);
  await page.waitForTimeout(500);
  expect(await statusOf(page)).toMatch(/^Finished · iteration 2\/2/);
  await button(page, 'Reset').click();
  await untilStatus(page, /^Ready · iteration 0\/2/);
  expect(await page.getByRole('alert').allTextContents()).toEqual([]);
});

test('presses that lose nothing: early, after the end, on Reset, and taken back', { timeout: 2 * longMs }, async () => {
  let trainer: Route | undefined;
  const page = await openPage({
    hash: shortLink({ steps: 3 }),
    before: (empty) => empty.route(/trainer\.worker/, (route) => void (trainer = route)),
  });
  await untilStatus(page, /^Looking for a GPU… · iteration 0\//);
  await expect.poll(() => trainer !== undefined, { timeout: patienceMs }).toBe(true);
  await trainButton(page).click();
  await trainer!.continue();
  await untilStatus(page, /^Finished · iteration 3\/3/);

  const reset = atStatus(page, /^RL iteration [4-9]\/23/, press, 'Reset');
  await button(page, '+20 iterations').click();
  await reset;
  expect(await statusOf(page)).toMatch(/^(Stopping…|Ready) · iteration 0\//);
  await untilStatus(page, /^Ready/);
  await button(page, 'Undo').click();
  await untilStatus(page, /^(RL|Finished).* iteration \d+\/23/);
  expect(await stepOf(page)).toBeGreaterThan(3);

  await button(page, 'Reset').click();
  const seen = await recordStatus(page);
  await trainButton(page).click();
  const begins = expect.stringMatching(/^(Compiling|Preparing|Copying).* iteration 0\/23/);
  await expect.poll(seen, { timeout: patienceMs }).toContainEqual(begins);
  await untilStatus(page, /^(RL|Finished).* iteration \d+\/23/);
  expect(await page.getByRole('alert').allTextContents()).toEqual([]);
});
