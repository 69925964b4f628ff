/** The answers above the setup are those of the run on the page. */
import { expect, test } from 'vitest';
import type { Page } from '@playwright/test';
import { openPage } from '../helpers/browser';
import { longMs, patienceMs, trainButton, untilReady, untilStatus } from '../helpers/lab';

/** Title, task and outcome of each answer above the setup. */
const answersOf = (page: Page): Promise<(string | undefined)[][]> =>
  page
    .locator('.answers article')
    .evaluateAll((cards) =>
      cards.map((card) =>
        ['h2', 'header + p', 'p:last-child'].map((part) =>
          card.querySelector(part)?.textContent?.replace(/\s+/g, ' ').trim(),
        ),
      ),
    );

test('a run shows its own answers to the same new task, before, now and after', { timeout: longMs }, async () => {
  const page = await openPage({ hash: '#/lab?v=1&preset=calculator-mini&device=cpu' });
  await untilReady(page);
  await page.getByText('from the recorded run').waitFor();
  await trainButton(page).click();
  await page.getByRole('article').getByRole('heading', { name: 'Now' }).waitFor({ timeout: patienceMs });
  expect(await page.getByText('from the recorded run').count(), 'of the recorded run').toBe(0);
  await untilStatus(page, /^RL iteration [2-9]/);
  const [before, now] = await answersOf(page);
  expect([before[0], now[0]]).toEqual(['Before', 'Now']);
  expect(now[1], 'the same task').toBe(before[1]);
  await untilStatus(page, /^Finished/);
  const [first, after] = await answersOf(page);
  expect([first[0], after[0], after[1]]).toEqual(['Before', 'After', first[1]]);
  expect([first[2], after[2]]).toEqual([expect.stringContaining('wrong'), expect.stringContaining('right')]);
  // Where they part, each says what it wrote and how likely it was to write what the other did.
  const shares = page.getByRole('article').filter({ hasText: 'Where they part' }).getByRole('listitem');
  await expect
    .poll(async () => (await shares.allInnerTexts()).map((each) => each.split(/\s/)[0]), { timeout: patienceMs })
    .toEqual(['<answer>', '<call>', '<call>', '<answer>']);
  await page.getByRole('button', { name: `Ask it: ${first[1]}`, exact: true }).waitFor();
  const reader = await page.getByRole('tabpanel', { name: 'Rollout', exact: true }).innerText();
  expect(reader, 'the reader opens on what was learned').toContain('✓ solved');
  expect(reader).toContain(first[1]);
  expect(await page.title()).toContain('Calculator, mini');
  await page.getByRole('button', { name: 'Watch the recorded run' }).click();
  await page.getByText('from the recorded run').waitFor();
  const titles = async () => (await answersOf(page)).map(([title]) => title);
  // Halfway it wrote what it writes at the end; the agent of mastermind did not.
  expect(await titles()).toEqual(['Before', 'After']);
  await page.evaluate(() => (location.hash = '#/lab?v=1&preset=mastermind'));
  await expect.poll(titles, { timeout: patienceMs }).toEqual(['Before', 'Halfway', 'After']);
});
