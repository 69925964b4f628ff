/** Rollouts of another trainer are dropped on *Compare estimators*: groups, advantages, weights, and bad files. */
import { expect, test } from 'vitest';
import { openPage, expectAccessibleEverywhere } from '../helpers/browser';
import { columnOf, openComparison, panelOf, tableOf } from '../helpers/estimators-panel';
import { longMs, patienceMs, untilStatus } from '../helpers/lab';
import { linesOf, trlRows } from '../helpers/rollout-files';

test('a file of TRL is dropped, compared, weighed and read', { timeout: longMs }, async () => {
  const page = await openPage({ reducedMotion: 'reduce', gpu: 'no adapter' });
  await untilStatus(page, /^Ready/);
  const panel = panelOf(page);
  const transfer = await page.evaluateHandle((text) => {
    const data = new DataTransfer();
    data.items.add(new File([text], 'trl.jsonl'));
    return data;
  }, linesOf(trlRows));
  // The fold is closed: a file opens it.
  await panel.dispatchEvent('drop', { dataTransfer: transfer });
  await panel.getByRole('heading', { name: 'trl.jsonl: 7 rollouts of TRL, 2 steps' }).waitFor({ timeout: patienceMs });
  await panel.getByText('The file lacks log-probabilities, numbers of tokens and a critic’s values').waitFor();
  await tableOf(page).waitFor({ timeout: patienceMs });
  expect(await columnOf(page, 'Trained')).toEqual([1.5, -0.5, -0.5, -0.5]);
  expect(await columnOf(page, 'GRPO')).toEqual([1.5, -0.5, -0.5, -0.5]);
  expect(await columnOf(page, 'RLOO')).toEqual([1.5, -0.5, -0.5, -0.5]);
  expect(await columnOf(page, 'Dr.GRPO')).toEqual([1.13, -0.38, -0.38, -0.38]);
  expect(await columnOf(page, 'OPO')).toEqual([NaN, NaN, NaN, NaN]);
  await panel.getByText('ReMax is left out').waitFor();
  await expectAccessibleEverywhere(page, 'rollouts of another trainer are compared');

  // The weights of the reward functions change the rewards, and with them the advantages.
  await panel.getByLabel('Weight of format_reward').fill('0');
  await expect.poll(() => columnOf(page, 'Dr.GRPO'), { timeout: patienceMs }).toEqual([0.75, -0.25, -0.25, -0.25]);
  await panel.getByLabel('Weight of accuracy_reward').fill('-1');
  await panel.getByText('The advantages in the file do not follow from this reward.').waitFor();

  await panel.getByLabel('Prompt', { exact: true }).first().selectOption({ label: '2 (2 rollouts): What is 3 + 3?' });
  await panel.getByRole('region', { name: 'Response' }).getByText('6', { exact: true }).waitFor();
  await tableOf(page).getByRole('button', { name: 'Read rollout 5: reward −1.00' }).click();
  await panel.getByRole('region', { name: 'Response' }).getByText('six').waitFor();
  await panel.getByLabel('Step of training').selectOption('5');
  await panel.getByText('The group is one rollout.').waitFor({ timeout: patienceMs });
});

test('a bad file is answered in a sentence, and the run’s comparison comes back', { timeout: longMs }, async () => {
  const page = await openPage({ reducedMotion: 'reduce', gpu: 'no adapter' });
  await untilStatus(page, /^Ready/);
  await openComparison(page);
  const own = await columnOf(page, 'GRPO');
  const open = (name: string, text: string) =>
    panelOf(page)
      .getByLabel('Rollouts of another trainer')
      .setInputFiles({ name, mimeType: 'application/json', buffer: Buffer.from(text) });
  const alert = panelOf(page).getByRole('alert');
  await open('cut.jsonl', linesOf(trlRows).slice(0, -20));
  await alert.getByText('Line 7 of cut.jsonl: it is not JSON, it ends too early.').waitFor({ timeout: patienceMs });
  await open('other.json', '[{"question":"a"}]');
  await alert.getByText('other.json is of no known format: it has question.').waitFor({ timeout: patienceMs });
  await open('large.jsonl', ' '.repeat(20_000_001));
  await alert.getByText('large.jsonl has 20.0 MB, and 20 MB is the most.').waitFor({ timeout: patienceMs });
  await panelOf(page).getByRole('button', { name: 'Back to the run' }).click();
  expect(await columnOf(page, 'GRPO')).toEqual(own);
});
