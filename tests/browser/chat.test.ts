/** A visitor talks to the agent before anything is trained: who answers, what stops an answer, and the run after it. */
import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { expectAccessibleEverywhere, openPage } from '../helpers/browser';
import {
  button,
  longMs,
  openChat,
  patienceMs,
  sharedFingerprint,
  trainButton,
  untilReady,
  untilStatus,
} from '../helpers/lab';

/** A short run that begins from the preset's recorded warm start. */
const setup = '#/lab?v=1&preset=calculator-mini&steps=2&tasks=4&group=4&evalTasks=8';

const chatText = (page: Page) => page.locator('#chat').innerText();

async function untilAnswered(page: Page): Promise<string> {
  const log = page.getByRole('log', { name: 'Chat' });
  await expect.poll(() => log.innerText(), { timeout: patienceMs }).not.toMatch(/answering…/);
  return log.innerText();
}

async function train(page: Page): Promise<readonly string[]> {
  await trainButton(page).click();
  await untilStatus(page, /^Finished · iteration 2\/2/);
  const fingerprint = await sharedFingerprint(page);
  expect(fingerprint).toHaveLength(2);
  return fingerprint;
}

test(
  'a visitor chats before training and reads who answers; the run is that of a visitor who did not',
  { timeout: longMs },
  async () => {
    const page = await openPage({ hash: setup, gpu: 'no adapter' });
    await untilReady(page);
    await openChat(page);
    await expect.poll(() => chatText(page), { timeout: patienceMs }).toContain('This agent copied 1,000 examples');
    expect(await chatText(page)).toContain('has not practised yet. Train, and ask again.');
    await page.getByRole('list', { name: 'Examples' }).getByRole('button').first().click();
    const first = await untilAnswered(page);
    expect(first).toMatch(/Agent before practice \(Calculator, mini\)\s+\S/);
    await expectAccessibleEverywhere(page, 'chat before training');

    const fingerprint = await train(page);
    expect(await chatText(page)).toContain('You talk to the agent as it is now, after iteration 2.');
    await (await openChat(page)).fill('3+4');
    await page.keyboard.press('Enter');
    expect(await untilAnswered(page)).toMatch(/Agent before practice[^]*Agent, iteration 2\s+\S/);
    await button(page, 'Reset').click();
    await untilStatus(page, /^Ready/);
    await expect.poll(() => chatText(page)).toContain('has not practised yet');

    const other = await openPage({ hash: setup, gpu: 'no adapter' });
    await untilReady(other);
    expect(await train(other)).toEqual(fingerprint);
  },
);

test(
  'Train and another preset in the middle of an answer, and a setup that nobody answers for',
  { timeout: longMs },
  async () => {
    const page = await openPage({ hash: setup, gpu: 'no adapter' });
    await untilReady(page);
    const box = await openChat(page);
    await expect.poll(() => chatText(page), { timeout: patienceMs }).toContain('This agent copied 1,000 examples');
    await box.fill('3+4');
    await page.evaluate(() => {
      document.querySelector<HTMLFormElement>('#chat form')!.requestSubmit();
      [...document.querySelectorAll('button')].find((each) => each.textContent?.trim() === 'Train')!.click();
    });
    expect(await untilAnswered(page)).toContain('This answer was stopped, because its agent is gone. Ask again.');
    await untilStatus(page, /^Finished · iteration 2\/2/);
    await button(page, 'Reset').click();
    await untilStatus(page, /^Ready/);

    await box.fill('5*6');
    await box.press('Enter');
    await page.getByRole('combobox', { name: 'Preset' }).selectOption('bandit');
    expect(await untilAnswered(page)).toMatch(/5\*6\s+Agent before practice \(Calculator, mini\)\s+\S/);
    await expect.poll(() => chatText(page), { timeout: patienceMs }).toContain('This agent copied 500 examples');
    await box.fill('table 17');
    await box.press('Enter');
    expect(await untilAnswered(page)).toMatch(/\(Two-armed bandit\)\s+(left|right)/);

    await page.evaluate((hash) => (location.hash = hash), `${setup}&layers=1`);
    await expect.poll(() => chatText(page), { timeout: patienceMs }).toContain('This setup changes the model');
    await box.fill('3+4');
    expect(await button(page, 'Send').isDisabled()).toBe(true);
    expect(await page.getByRole('alert').allTextContents()).toEqual([]);
  },
);
