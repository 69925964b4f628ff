/** A table of experiments: not loaded before it is unfolded, all of it in words; else a sentence what is wrong. */
import { expect, test } from 'vitest';
import { presetByName } from '../../src/config/presets';
import { openRunLink } from '../../src/config/run-link';
import { expectAccessibleEverywhere } from '../helpers/browser';
import { longMs } from '../helpers/lab';
import { plainSpaces } from '../helpers/plain-spaces';
import { sampleResults } from '../helpers/results';
import { openWith } from '../helpers/results-panel';

test('a table has its numbers in words, and what it takes to make it again', { timeout: longMs }, async () => {
  const { page, asked } = await openWith({ 'index.json': ['sample'], 'sample.json': sampleResults });
  expect(asked, 'before anybody looks').toEqual([]);
  await page.getByText('Experiments', { exact: true }).click();
  const table = page.getByRole('region', { name: 'Table: A sample' });
  await table.waitFor();
  expect(asked).toEqual(['index.json', 'sample.json']);
  // Links are packed after the table is drawn.
  await table.getByRole('link', { name: 'Open PPO, seed 2, in the Lab' }).waitFor();
  expect((await table.getByRole('columnheader').allInnerTexts()).map(plainSpaces)).toEqual([
    'Method',
    'Success',
    'Over seeds',
    'Each seed',
    'Open in the Lab',
    'Difference in tasks of 8',
    'Warm start',
    'Practice',
    'Peak of practice',
    'Area under practice',
    'Iterations to 75 %',
    'Out of distribution',
    'Solved with 0 / 1 / 2 … tool calls',
    'Out of distribution with 0 / 1 / 2 … tool calls',
    'Turns',
    'Paper',
  ]);
  const cells = async (name: string) =>
    (await table.getByRole('row', { name }).getByRole('cell').allInnerTexts()).map((text) =>
      text.replace(/\s+/g, ' ').trim(),
    );
  expect(await cells('PPO')).toEqual([
    '75 %',
    '50 to 100 % (range)',
    '50 %, 100 %',
    'seed 1 seed 2',
    '–',
    '25 %',
    '25 % → 50 %',
    '50 % at iteration 2',
    '38 %',
    'never, never',
    '50 % 25 to 75 % (range)',
    '0 / 12',
    '0 / 0 / 8',
    '2.00',
    '–',
  ]);
  expect(await cells('Naive RAG')).toEqual([
    '13 %',
    '–',
    '–',
    'a script: nothing to train',
    '–',
    '–',
    '–',
    '–',
    '–',
    '–',
    '0 % –',
    '0 / 1',
    '0 / 0 / 0',
    '2.00',
    '13 %',
  ]);
  expect(await cells('GSPO')).toEqual([
    '–',
    '–',
    'failed',
    'seed 1',
    '–',
    '25 %',
    '25 % → 50 %',
    '50 % at iteration 2',
    '38 %',
    'never',
    '– –',
    '–',
    '–',
    '–',
    '–',
  ]);
  const section = page.getByRole('region', { name: 'A sample', exact: true });
  for (const words of [
    'What was found: PPO is better.',
    'A paper: the first one.',
    'GSPO, seed 1, ended early',
    'commit 0123456789ab',
    'npm run experiment -- sample',
  ])
    expect(await section.innerText()).toContain(words);
  await section.getByText('Curves of each row').click();
  const drawn = () => section.getByRole('figure').evaluateAll((all) => all.map((each) => each.ariaLabel));
  await section.getByRole('figure').first().waitFor();
  expect(await drawn()).toEqual([expect.stringMatching(/^PPO: /), expect.stringMatching(/^GSPO: /)]);
  await section.getByLabel('Curve').selectOption('KL');
  await section.getByText('did not keep this curve').waitFor();
  expect(await drawn(), 'an older file').toEqual([]);
  await section.getByLabel('Curve').selectOption('Practice success');
  await section.getByText('What each row changes').click();
  expect(await section.getByRole('definition').allInnerTexts()).toContain('algorithm.name: grpo → ppo');
  expect(await section.innerText()).toContain('The table was made with engine 0.2.0');
  await expectAccessibleEverywhere(page, 'results are shown');

  const link = table.getByRole('link', { name: 'Open PPO, seed 2, in the Lab' });
  const { config } = await openRunLink((await link.getAttribute('href'))!);
  const preset = presetByName('multi-hop').config;
  expect(config).toEqual({ ...preset, seed: 2, iterations: 2, algorithm: { ...preset.algorithm, name: 'ppo' } });
  await link.click();
  await expect.poll(() => page.getByLabel('Seed', { exact: true }).inputValue()).toBe('2');
  expect(await page.getByLabel('Algorithm', { exact: true }).inputValue()).toBe('ppo');
});

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
