/**
 * The reader of rollouts: a link to one rollout of a recorded run, filters, rollouts side by side, and a token's loss;
 * in a run of this tab, the numbers of the agent as it is now.
 */
import { expect, test } from 'vitest';
import { expectAccessibleEverywhere, openPage } from '../helpers/browser';
import { button, longMs, shortLink, untilStatus } from '../helpers/lab';

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
  await button(page, 'Train').click();
  await untilStatus(page, /^Finished/);
  const reader = page.getByRole('article');
  await reader.getByRole('tab', { name: 'Tokens' }).click();
  await reader.getByRole('button', { name: 'Compute with the agent as it is now' }).click();
  await reader.getByText('By the agent now, after iteration 2.').waitFor();
  const likeliest = reader.getByRole('region', { name: 'Token' }).getByRole('listitem');
  expect(await likeliest.count()).toBe(5);
  await reader.getByText('Only rollouts of recorded runs have a link.').waitFor();
});
