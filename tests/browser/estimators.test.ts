/**
 * One group of rollouts under every estimator: of the recorded run without a GPU, and of a live one, where GRPO's
 * column is what was trained with.
 */
import { readFileSync } from 'node:fs';
import type { Locator, Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { groupAdvantages } from '../../src/rl/advantages/grpo';
import type { RolloutView } from '../../src/rl/report';
import { expectAccessibleEverywhere, openPage } from '../helpers/browser';
import { button, longMs, patienceMs, shortLink, untilReady, untilStatus } from '../helpers/lab';

const panelOf = (page: Page): Locator => page.locator('details').filter({ hasText: 'Compare estimators' }).first();
const tableOf = (page: Page): Locator =>
  page.getByRole('region', { name: 'Advantages of this group under every estimator' });

/** What stands under a head in the rows of whole rollouts, as a number. */
async function columnOf(page: Page, head: string): Promise<number[]> {
  const heads = await tableOf(page).getByRole('columnheader').allInnerTexts();
  // The heads of a column begin with the row of rollouts; those before it are of kinds.
  const at = heads.slice(heads.indexOf('Rollout, reward')).findIndex((each) => each.split('\n')[0] === head);
  const rows = tableOf(page)
    .getByRole('row')
    .filter({ has: page.getByRole('button') });
  const cells = await Promise.all(
    (await rows.all()).map((row) =>
      row
        .getByRole('cell')
        .nth(at - 1)
        .innerText(),
    ),
  );
  return cells.map((cell) => Number(cell.replace('−', '-').replace('~', '')));
}

async function openComparison(page: Page): Promise<void> {
  await panelOf(page).locator('summary').first().focus();
  await page.keyboard.press('Enter');
  await tableOf(page).waitFor({ timeout: patienceMs });
}

test('without WebGPU, the recorded group is compared with the numbers that it has', { timeout: longMs }, async () => {
  const page = await openPage({ reducedMotion: 'reduce', gpu: 'no adapter' });
  await untilStatus(page, /^Cannot train here/);
  await page.getByRole('slider', { name: 'Iteration', exact: true }).fill('0');
  await openComparison(page);

  const { rollouts } = JSON.parse(readFileSync('public/recordings/calculator.json', 'utf8')) as {
    rollouts: RolloutView[];
  };
  const kept = rollouts.filter(({ iteration }) => iteration === 1);
  const first = kept.filter(({ group }) => group === kept[0].group);
  const rewards = first.map(({ reward }) => reward);
  const grpo = groupAdvantages(
    rewards,
    rewards.map(() => 0),
    true,
  );
  expect(new Set(rewards).size, 'a group that teaches something').toBeGreaterThan(1);
  expect(await columnOf(page, 'GRPO')).toEqual(Array.from(grpo, (value) => Number(value.toFixed(2))));
  expect(await columnOf(page, 'Trained')).toEqual(first.map(({ advantage }) => Number(advantage.toFixed(2))));
  await panelOf(page).getByText(`Of the iteration’s 256 rollouts, ${kept.length} are here.`).waitFor();
  await panelOf(page).getByText('ReMax is left out: it needs the score of a greedy rollout of each task.').waitFor();

  // Another rollout is read from here, and shows its own steps.
  await tableOf(page)
    .getByRole('button', { name: new RegExp(`^Read rollout ${first[4].index}\\b`) })
    .click();
  await page.getByRole('group', { name: 'Rollout being read' }).getByText(`rollout ${first[4].index} ·`).waitFor();
  expect(await tableOf(page).getByRole('rowheader', { name: /^step/ }).allInnerTexts()).toEqual(
    first[4].steps.map(({ tokens }, k) => `step ${k + 1} · ${tokens.length} tok.`),
  );
  await panelOf(page).getByText('What each column compares with').click();
  await panelOf(page).getByText('Only the best of the group learns').waitFor();
  await expectAccessibleEverywhere(page, 'estimators are compared');
});

test(
  'of a live run the whole batch is there, and GRPO’s column is what it trained with',
  { timeout: longMs },
  async () => {
    const page = await openPage({ hash: shortLink({ steps: 2, warm: 60 }) });
    await untilReady(page);
    await button(page, 'Train').click();
    await untilStatus(page, /^Finished/);
    const telling = page
      .getByRole('grid', { name: 'List of rollouts' })
      .getByRole('row')
      .filter({ has: page.getByRole('gridcell', { name: /^\+\d/ }) });
    await telling.first().click();
    await openComparison(page);
    await panelOf(page).getByText('All 16 rollouts of the iteration are in.').waitFor();
    expect(
      await tableOf(page)
        .getByRole('columnheader', { name: /this run/ })
        .innerText(),
    ).toMatch(/^GRPO/);

    const attempts = page.getByRole('region', { name: 'Attempts at the same task' }).getByRole('button');
    const shown = await attempts.evaluateAll((all) =>
      all.map((each) => / advantage (.*)$/.exec(each.getAttribute('aria-label')!)![1]),
    );
    expect(shown).toHaveLength(4);
    expect(new Set(shown).size, 'a group that teaches something').toBeGreaterThan(1);
    expect(await columnOf(page, 'GRPO')).toEqual(shown.map((each) => Number(each.replace('−', '-'))));
    expect(await columnOf(page, 'Trained')).toEqual(await columnOf(page, 'GRPO'));
  },
);
