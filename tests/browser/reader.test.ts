/**
 * The reader of rollouts: a link to one rollout of a recorded run, filters, rollouts side by side, and a token's loss;
 * in a run of this tab, the numbers of the agent as it is now.
 */
import { expect, test } from 'vitest';
import { expectAccessibleEverywhere, openPage } from '../helpers/browser';
import { longMs, shortLink, trainButton, untilStatus } from '../helpers/lab';

test('a link opens one rollout of a recorded run', { timeout: longMs }, async () => {
  const page = await openPage({ hash: '#/lab?v=1&preset=calculator&rollout=40/97', gpu: 'no adapter' });
  const reader = page.getByRole('article');
  await reader.getByText('iteration 40 · rollout 97', { exact: true }).waitFor();

  const filter = page.getByRole('combobox', { name: 'Filter by expression' });
  await filter.fill('reward > 0.5 and tur');
  await page.getByRole('option', { name: 'turns' }).click();
  expect(await filter.inputValue()).toBe('reward > 0.5 and turns ');
  await filter.pressSequentially('< x');
  await page.getByText('Here a number is missing, or true or false. At character 26.').waitFor();
  await filter.fill('reward > 0.5 and turns > 2');
  await page.getByText(/ · (\d+) of \1 solved/).waitFor();

  await reader.getByRole('tab', { name: 'Rollouts' }).click();
  await reader.getByText('Best and worst part in turn 2').waitFor();
  await reader.getByRole('tab', { name: 'Tokens' }).click();
  await reader.getByText('Loss of this token in GRPO').waitFor();
  await reader.getByText('A recording has no agent to ask').waitFor();
  await expectAccessibleEverywhere(page, 'a token of a recorded run is read');
  await reader.getByRole('tab', { name: 'JSON' }).click();
  await reader.getByText('"iteration": 40').waitFor();
});

test('a run of this tab reads a rollout with the agent as it is now', { timeout: longMs }, async () => {
  const page = await openPage({ hash: shortLink({ steps: 2 }) });
  await trainButton(page).click();
  await untilStatus(page, /^Finished/);
  const reader = page.getByRole('article');
  await reader.getByRole('tab', { name: 'Tokens' }).click();
  await reader.getByRole('button', { name: 'Compute with the agent as it is now' }).click();
  await reader.getByText('By the agent now, after iteration 2.').waitFor();
  const likeliest = reader.getByRole('region', { name: 'Token' }).getByRole('listitem');
  expect(await likeliest.count()).toBe(5);
  await reader.getByText('Only rollouts of recorded runs have a link.').waitFor();
});

test('a run of this tab is looked into: by head, by moment and by keyboard', { timeout: longMs }, async () => {
  const page = await openPage({ hash: shortLink({ steps: 2, layers: 2 }) });
  await trainButton(page).click();
  await untilStatus(page, /^Finished/);
  const reader = page.getByRole('article');
  await reader.getByRole('tab', { name: 'Tokens' }).click();
  await reader.getByRole('button', { name: 'Look inside: where its heads looked' }).press('Enter');
  const inside = reader.getByRole('region', { name: 'Where its heads looked' });
  await inside.getByText('Likeliest here, after iteration 2').waitFor();
  const seen = inside.getByRole('list').first().getByRole('listitem');
  const mean = await seen.allInnerTexts();
  expect(mean.length).toBeGreaterThan(1);
  await inside.getByRole('radio', { name: 'mean of all' }).focus();
  await page.keyboard.press('ArrowRight');
  const first = inside.getByRole('radio', { name: /^Layer 1, head 1: \d+(\.\d+)? % on / });
  expect(await first.isChecked()).toBe(true);
  await expect.poll(() => seen.allInnerTexts()).not.toEqual(mean);
  // The tokens of the conversation say the same.
  const [, share] = /: (.*?)\s% on /.exec((await first.getAttribute('aria-label'))!)!;
  await reader
    .getByRole('option', { name: `, seen with ${share} %` })
    .first()
    .waitFor();
  await expectAccessibleEverywhere(page, 'an agent is looked into');

  const moments = inside.getByRole('combobox', { name: 'by the agent' });
  const likeliest = inside.getByRole('list').nth(1);
  const now = await likeliest.innerText();
  await moments.selectOption({ label: 'before iteration 1' });
  await inside.getByText('Likeliest here, before iteration 1').waitFor();
  await expect.poll(() => likeliest.innerText()).not.toBe(now);
  await reader.getByRole('option').first().click();
  await inside.getByText('The environment wrote this token').waitFor();
  await reader.getByRole('button', { name: 'Close' }).click();
  expect(await reader.getByRole('option', { name: /, seen with/ }).count()).toBe(0);
});
