/** Texts of a megabyte are drawn to their 8,192nd character, wherever the page draws a text of somebody else. */
import { expect, test } from 'vitest';
import type { Page } from '@playwright/test';
import { hostileRecording } from '../attacks/render';
import { openPage } from '../helpers/browser';
import { panelOf } from '../helpers/estimators-panel';
import { longMs, patienceMs, untilStatus } from '../helpers/lab';
import { linesOf, trlRows } from '../helpers/rollout-files';

const million = 1_000_000;
/** Words around a text, of the page itself. */
const spare = 300;

/** Texts and labels on the page that are too long, each with its element. */
const tooLong = (page: Page): Promise<string[]> =>
  page.evaluate((most) => {
    const found: string[] = [];
    const look = ({ localName, className }: Element, length: number) => {
      if (length > most) found.push(`${length} characters in <${localName} class="${String(className)}">`);
    };
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) look(texts.currentNode.parentElement!, (texts.currentNode as Text).length);
    for (const element of document.body.querySelectorAll('*'))
      for (const name of ['aria-label', 'aria-valuetext', 'title', 'placeholder', 'id', 'name', 'value'])
        look(element, element.getAttribute(name)?.length ?? 0);
    return found;
  }, 8192 + spare);

test('a recorded run with long texts', { timeout: longMs }, async () => {
  const body = hostileRecording(['x'.repeat(200_000), 'a b'.repeat(50_000), 'short']);
  const page = await openPage({
    hash: '#/lab?v=1&preset=calculator',
    gpu: 'no adapter',
    reducedMotion: 'reduce',
    before: (opened) =>
      opened.route('**/recordings/calculator.json', (route) =>
        route.fulfill({ body, contentType: 'application/json' }),
      ),
  });
  await untilStatus(page, /^Ready/);
  await page
    .getByRole('region', { name: 'Rollouts', exact: true })
    .getByText('of 3 solved')
    .waitFor({ timeout: patienceMs });
  for (let i = 0; i < 3; i++) {
    for (const tab of ['Conversation', 'Tokens', 'JSON', 'Conversation']) {
      await page.getByRole('tab', { name: tab }).click();
      expect(await tooLong(page), `rollout ${i}, ${tab}`).toEqual([]);
    }
    await page.getByRole('tab', { name: 'Chat', exact: true }).click();
    expect(await tooLong(page), 'the chat').toEqual([]);
    await page.getByRole('tab', { name: 'Rollout', exact: true }).click();
    await page.keyboard.press('j');
  }
});

test('a rollout of another trainer, all of which can be read', { timeout: longMs }, async () => {
  const page = await openPage({ reducedMotion: 'reduce', gpu: 'no adapter' });
  await untilStatus(page, /^Ready/);
  const completion = `begin${'x'.repeat(million - 8)}end`;
  const rows = [{ ...trlRows[0], completion, prompt: 'p'.repeat(million) }];
  await panelOf(page).locator('summary').first().click();
  await panelOf(page)
    .getByLabel('Rollouts of another trainer')
    .setInputFiles({ name: 'long.jsonl', mimeType: 'application/json', buffer: Buffer.from(linesOf(rows)) });
  const response = panelOf(page).getByRole('region', { name: 'Response' });
  await response.getByText('… the first 8,192 of 1,000,000 characters.').waitFor({ timeout: patienceMs });
  expect(await tooLong(page)).toEqual([]);
  await response.getByRole('button', { name: 'Show all' }).click();
  expect(await response.textContent()).toBe(completion);
});
