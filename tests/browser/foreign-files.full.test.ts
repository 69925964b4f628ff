/** Large files of strangers are read apart from the page and the trainer, which go on, or refused in a sentence. */
import { expect, test } from 'vitest';
import type { JSHandle, Page } from '@playwright/test';
import { openPage } from '../helpers/browser';
import { panelOf, tableOf } from '../helpers/estimators-panel';
import { recordFrames } from '../helpers/frames';
import {
  button,
  longMs,
  patienceMs,
  recordStatus,
  shortLink,
  stepOf,
  trainButton,
  untilReady,
  untilStatus,
} from '../helpers/lab';
import { sampleResults } from '../helpers/results';
import { linesOf, manyTokens, ownColumns } from '../helpers/rollout-files';

/**
 * The longest frame that is let pass: a second, and more where the page is slow before any file is dropped. What this
 * test is about took from 1,300 ms to more than a minute.
 */
async function mostMs(page: Page, longestMs: () => Promise<number>): Promise<number> {
  await longestMs();
  await page.waitForTimeout(2000);
  return 1000 + 4 * (await longestMs());
}

/** A file in the page, ready to be dropped. */
const fileIn = (page: Page, name: string, content: string): Promise<JSHandle<DataTransfer>> =>
  page.evaluateHandle(
    ([fileName, text]) => {
      const data = new DataTransfer();
      data.items.add(new File([text], fileName));
      return data;
    },
    [name, content] as const,
  );

/** As large as a step may be: 1,024 prompts of 16 rollouts, and 64 reward terms. */
const largest = linesOf(
  Array.from({ length: 16_384 }, (_, i) => ({
    step: 1,
    prompt: `Prompt ${i >> 4}`,
    completion: 'x'.repeat(200),
    ...Object.fromEntries(Array.from({ length: 64 }, (_term, t) => [`r${t}`, (i + t) % 3])),
  })),
);

test('files of rollouts are dropped while a run trains, which goes on', { timeout: longMs }, async () => {
  const page = await openPage({ hash: shortLink({ steps: 2000, evalEvery: 1000 }), gpu: 'no adapter' });
  const trainers: string[] = [];
  page.on('worker', (worker) => {
    if (worker.url().includes('#trainer')) trainers.push(worker.url());
  });
  await untilReady(page);
  await trainButton(page).click();
  await untilStatus(page, /iteration ([3-9]|\d{2,})\//);
  const columns = await fileIn(page, 'columns.jsonl', ownColumns(200));
  const manyMore = await fileIn(page, 'many-more.json', manyTokens(4_600_000));
  const many = await fileIn(page, 'many.json', manyTokens(1_500_000));
  const whole = await fileIn(page, 'whole.jsonl', largest);
  const drop = (dataTransfer: JSHandle<DataTransfer>) => panelOf(page).dispatchEvent('drop', { dataTransfer });
  const read = await recordStatus(page);
  const longestMs = await recordFrames(page);
  const maxFrameMs = await mostMs(page, longestMs);
  const began = await stepOf(page);
  const alert = panelOf(page).getByRole('alert');

  const spent: Record<string, number> = {};
  await drop(columns);
  await alert
    .getByText('Line 1 of columns.jsonl: it brings the 65th column of numbers')
    .waitFor({ timeout: patienceMs });
  spent.columns = await longestMs();
  await drop(manyMore);
  // Dropped while the other is being read, which ends that.
  await drop(many);
  await alert
    .getByText('many.json has more than 200000 tokens in step 4. Keep fewer rollouts of the step.')
    .waitFor({ timeout: patienceMs });
  spent.tokens = await longestMs();
  await drop(whole);
  await panelOf(page)
    .getByText('The file has 16384 rollouts of this step in 1024 groups')
    .waitFor({ timeout: patienceMs });
  spent.whole = await longestMs();
  await panelOf(page).getByLabel('Weight of r63').fill('0');
  await tableOf(page).getByRole('button').nth(5).click();
  await panelOf(page).getByRole('heading', { name: 'Rollout 5, reward' }).waitFor({ timeout: patienceMs });
  spent.picked = await longestMs();

  expect(Math.max(...Object.values(spent)), JSON.stringify(spent)).toBeLessThan(maxFrameMs);
  const steps = (await read()).flatMap((status) => /iteration (\d+)\//.exec(status)?.[1] ?? []).map(Number);
  expect(steps, 'the run never goes back').toEqual(steps.toSorted((a, b) => a - b));
  expect(steps.at(-1)).toBeGreaterThan(began + 3);
  // One that was started before the first look is not counted.
  expect(trainers.length, 'the trainer was not replaced').toBeLessThan(2);
  expect(page.workers().filter((worker) => worker.url().includes('#trainer'))).toHaveLength(1);
  // Closed, the file leaves no worker.
  await button(page, 'Back to the run').click();
  await expect.poll(() => page.workers().filter((worker) => worker.url().includes('file-reader')).length).toBe(0);
});

test('tables of results that are broken or too large are refused in a sentence', { timeout: longMs }, async () => {
  const page = await openPage({ hash: '#/runs', gpu: 'no adapter' });
  const own = page.getByRole('region', { name: 'Results of your own' });
  await own.waitFor({ timeout: patienceMs });
  const alert = own.getByRole('alert');
  const ppo = sampleResults.rows.find(({ name }) => name === 'ppo')!;
  const rows = (count: number, nameOf = (i: number) => `row ${i}`) =>
    JSON.stringify({ ...sampleResults, rows: Array.from({ length: count }, (_, i) => ({ ...ppo, name: nameOf(i) })) });

  const same = await fileIn(
    page,
    'same.json',
    rows(2, () => 'one'),
  );
  const many = await fileIn(page, 'rows.json', rows(500));
  const large = await fileIn(page, 'large.json', ' '.repeat(5_000_001));
  const cut = await fileIn(page, 'cut.json', rows(2).slice(0, -9));
  const hundred = await fileIn(page, 'hundred.json', rows(100));
  const drop = (dataTransfer: JSHandle<DataTransfer>) => own.dispatchEvent('drop', { dataTransfer });
  const longestMs = await recordFrames(page);
  const maxFrameMs = await mostMs(page, longestMs);
  await drop(same);
  await alert.getByText('rows: Two rows of one name.').waitFor({ timeout: patienceMs });
  await drop(many);
  await alert.getByText('rows: Invalid length').waitFor({ timeout: patienceMs });
  await drop(large);
  await alert.getByText('large.json has 5.0 MB, and 5 MB is the most.').waitFor({ timeout: patienceMs });
  await drop(cut);
  await alert.getByText('cut.json is not JSON: line 1, column ').waitFor({ timeout: patienceMs });
  expect(await longestMs()).toBeLessThan(maxFrameMs);
  await drop(hundred);
  await own.getByRole('region', { name: 'Table: A sample' }).waitFor({ timeout: patienceMs });
  expect(await own.getByRole('row').count()).toBe(26);
  await own.getByText('The first 25 of 100 rows.').waitFor();
  await button(page, 'Show all').click();
  expect(await own.getByRole('row').count()).toBe(101);
});
