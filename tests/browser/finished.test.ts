import { expect, test } from 'vitest';
import { expectAccessibleEverywhere, openPage } from '../helpers/browser';
import { button, longMs, patienceMs, shortLink, trainButton, untilReady, untilStatus } from '../helpers/lab';

test('a finished run says what it learned and offers what comes next', { timeout: longMs }, async () => {
  const page = await openPage({ hash: shortLink({ steps: 2 }) });
  await untilReady(page);
  await trainButton(page).click();
  await untilStatus(page, /^Finished/);
  await page.getByText(/^The agent (now )?(solves|got worse)/).waitFor();
  await expectAccessibleEverywhere(page, 'a run has finished and says what it learned');
  for (const width of [320, 360]) {
    await page.setViewportSize({ width, height: 780 });
    const tight = await page
      .getByRole('region', { name: 'Run', exact: true })
      .getByRole('button')
      .evaluateAll((all) => all.filter((each) => each.scrollWidth > each.clientWidth).map((each) => each.textContent));
    expect(tight, `${width} px wide`).toEqual([]);
  }
  await page.setViewportSize({ width: 1440, height: 900 });

  const ask = page.getByRole('button', { name: /^Ask it: / });
  const question = (await ask.innerText()).replace('Ask it: ', '');
  await ask.click();
  await expect.poll(() => page.getByRole('log').innerText(), { timeout: patienceMs }).toContain(question);

  await page.getByText('Change one thing').click();
  await page.getByRole('button', { name: 'Half the learning rate' }).click();
  await page.getByText('Changed for the next run: half the learning rate').waitFor();

  await button(page, 'Reset').click();
  await untilStatus(page, /^Ready/);
  await button(page, 'Undo').click();
  await untilStatus(page, /^Finished · iteration 2\/2/);
  await button(page, '20 more iterations').click();
  await untilStatus(page, /iteration \d+\/22/);
});
