/** One group of a live run under every estimator: the column of GRPO is what the run trained with. */
import { expect, test } from 'vitest';
import { openPage } from '../helpers/browser';
import { button, longMs, shortLink, untilReady, untilStatus } from '../helpers/lab';
import { panelOf, tableOf, columnOf, openComparison } from '../helpers/estimators-panel';

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
