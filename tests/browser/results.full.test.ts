/** Tables of experiments that are empty or of another format say what to do. */
import { test } from 'vitest';
import { expectAccessibleEverywhere } from '../helpers/browser';
import { longMs } from '../helpers/lab';
import { sampleResults } from '../helpers/results';
import { openWith } from '../helpers/results-panel';

test('without results, the page says how to make some', { timeout: longMs }, async () => {
  const { page } = await openWith({ 'index.json': [] });
  await page.getByText('Experiments', { exact: true }).click();
  await page.getByText('No results of experiments ship with this page yet.').waitFor();
  await expectAccessibleEverywhere(page, 'there are no results');
});

test('results of another format are refused with a sentence', { timeout: longMs }, async () => {
  const { page } = await openWith({ 'index.json': ['sample'], 'sample.json': { ...sampleResults, format: 2 } });
  await page.getByText('Experiments', { exact: true }).click();
  await page.getByRole('alert').getByText('has format 2, this page reads format 1.').waitFor();
});
