/**
 * One group of rollouts under every estimator: of the recorded run, and of a live one, where GRPO's
 * column is what was trained with.
 */
import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { groupAdvantages } from '../../src/algorithms/grpo';
import type { RolloutView } from '../../src/rl/rollouts/view';
import { unpackRecording, type RecordingFile } from '../../src/share/recording-file';
import { expectAccessibleEverywhere, openPage } from '../helpers/browser';
import { longMs, shortLink, trainButton, untilReady, untilStatus } from '../helpers/lab';
import { panelOf, tableOf, columnOf, openComparison } from '../helpers/estimators-panel';

test('the recorded group is compared with the numbers that it has', { timeout: longMs }, async () => {
  const page = await openPage({ reducedMotion: 'reduce', gpu: 'no adapter' });
  await untilStatus(page, /^Ready/);
  await page.getByRole('slider', { name: 'Iteration', exact: true }).fill('0');
  await openComparison(page);

  const file = JSON.parse(readFileSync('public/recordings/calculator.json', 'utf8')) as RecordingFile;
  const { rollouts } = unpackRecording(file) as { rollouts: RolloutView[] };
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
  await page
    .getByRole('tabpanel', { name: 'Rollout', exact: true })
    .getByText(new RegExp(`· rollout ${first[4].index}$`))
    .waitFor();
  expect(await tableOf(page).getByRole('rowheader', { name: /^turn/ }).allInnerTexts()).toEqual(
    first[4].steps.map(({ tokens }, k) => `turn ${k + 1} · ${tokens.length} tok.`),
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
    await trainButton(page).click();
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

    await page.getByRole('article').getByRole('tab', { name: 'Rollouts' }).click();
    const attempts = page.getByRole('region', { name: 'Rollouts of the same task' }).getByRole('button');
    const shown = await attempts.evaluateAll((all) =>
      all.map((each) => / advantage (.*)$/.exec(each.getAttribute('aria-label')!)![1]),
    );
    expect(shown).toHaveLength(4);
    expect(new Set(shown).size, 'a group that teaches something').toBeGreaterThan(1);
    expect(await columnOf(page, 'GRPO')).toEqual(shown.map((each) => Number(each.replace('−', '-'))));
    expect(await columnOf(page, 'Trained')).toEqual(await columnOf(page, 'GRPO'));
  },
);
