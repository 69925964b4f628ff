/** The page of runs, with two that a test trains: names, notes, curves over each other, deletion, files. */
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { Page } from '@playwright/test';
import { expect, onTestFinished, test } from 'vitest';
import { expectAccessibleEverywhere, openPage } from '../helpers/browser';
import {
  button,
  longMs,
  openLatestRun,
  patienceMs,
  shortLink,
  trainLink,
  untilReady,
  untilStatus,
} from '../helpers/lab';

/** Saves the open run in every form, and plays the replay from the disk. */
async function exportsEachKind(page: Page): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'agentlet-export-'));
  onTestFinished(() => rm(folder, { recursive: true }));
  const saved = new Map<string, string>();
  await page.getByText('Export', { exact: true }).first().click();
  for (const kind of ['Replay', 'Model card', 'JSON', 'CSV', 'Rollouts', 'SVG', 'PNG', 'Weights']) {
    const downloading = page.waitForEvent('download', { timeout: patienceMs });
    await page.getByRole('button', { name: new RegExp(`^${kind} `) }).click();
    const download = await downloading;
    const path = join(folder, download.suggestedFilename());
    await download.saveAs(path);
    expect((await stat(path)).size, kind).toBeGreaterThan(100);
    saved.set(kind, path);
  }
  expect(await readFile(saved.get('Model card')!, 'utf8')).toContain('Make this run again: open <http');
  expect((await readFile(saved.get('CSV')!, 'utf8')).trim().split('\n')).toHaveLength(3);
  const context = await page.context().browser()!.newContext();
  onTestFinished(() => context.close());
  const replay = await context.newPage();
  const errors: string[] = [];
  const asked: string[] = [];
  replay.on('request', (request) => asked.push(request.url()));
  replay.on('console', (message) => message.type() === 'error' && errors.push(message.text()));
  await replay.goto(pathToFileURL(saved.get('Replay')!).href);
  expect(await replay.getByRole('heading', { level: 1 }).textContent()).toBe('Slow and steady');
  expect(await replay.getByRole('status').textContent()).toContain('iteration 2 / 2');
  await replay.getByRole('slider', { name: 'iteration', exact: true }).fill('1');
  expect(await replay.getByRole('status').textContent()).toContain('iteration 1 / 2');
  await replay.getByRole('heading', { name: 'Rollouts, iteration 1' }).waitFor();
  expect(await replay.getByRole('article').count()).toBeGreaterThan(0);
  const [rollout] = await replay.getByRole('article').all();
  const drawing = rollout.getByRole('img');
  const end = await drawing.getAttribute('aria-label');
  await rollout.getByRole('slider', { name: 'step of the episode' }).fill('0');
  expect(await drawing.getAttribute('aria-label'), 'another scene').not.toBe(end);
  expect([errors, asked]).toEqual([[], [pathToFileURL(saved.get('Replay')!).href]]);
}

/** Saves a report of the ticked runs, and reads it from the disk. */
async function savesReport(page: Page): Promise<void> {
  await page.getByText('Report', { exact: true }).click();
  await page.getByRole('textbox', { name: 'Title' }).fill('Two rates');
  await page.getByRole('textbox', { name: 'What you found' }).fill('Too early to say.');
  const downloading = page.waitForEvent('download', { timeout: patienceMs });
  await button(page, 'Save the report').click();
  const path = await (await downloading).path();
  const context = await page.context().browser()!.newContext();
  onTestFinished(() => context.close());
  const report = await context.newPage();
  const heard: string[] = [];
  report.on('console', (message) => heard.push(message.text()));
  report.on('request', (request) => heard.push(request.url()));
  await report.setContent(await readFile(path, 'utf8'));
  expect(await report.getByRole('heading').allTextContents()).toEqual(['Two rates', 'Runs', 'What differs']);
  expect(await report.getByRole('link', { name: 'open' }).count()).toBe(2);
  expect(heard).toEqual([]);
}

test('runs are kept, named, compared, deleted and brought back', { timeout: longMs }, async () => {
  const page = await openPage({ hash: shortLink({ steps: 2, warm: 2, seed: 1 }) });
  await untilReady(page);
  await trainLink(page, { steps: 2, warm: 2, seed: 1 });
  await trainLink(page, { steps: 2, warm: 2, seed: 2, lr: 0.001 });
  await page.getByRole('navigation', { name: 'Pages' }).getByRole('link', { name: 'Runs' }).click();

  const boxes = page.getByRole('checkbox', { name: /^Compare / });
  await expect.poll(() => boxes.count(), { timeout: patienceMs }).toBe(2);
  for (const box of await boxes.all()) await box.check();
  const diff = page.getByRole('region', { name: 'What differs' });
  await diff.waitFor();
  expect(await diff.getByRole('rowheader').allTextContents()).toEqual(['Seed', 'Learning rate']);
  await page.getByRole('img', { name: /^2 runs from setting to setting/ }).waitFor();
  const slider = page.getByRole('slider', { name: /Success.* at iteration/ });
  await slider.focus();
  await page.keyboard.press('End');
  expect(await slider.getAttribute('aria-valuetext')).toMatch(
    /^iteration 2: [a-z]+ [a-z]+ [\d.]+\s%, [a-z]+ [a-z]+ [\d.]+\s%$/,
  );
  await page.getByRole('combobox', { name: /^Over/ }).selectOption('tokens');
  await page.getByRole('slider', { name: /Success.* at tokens/ }).waitFor();
  await savesReport(page);

  await page
    .getByRole('button', { name: /^Details of/ })
    .first()
    .click();
  await page.getByLabel('Name', { exact: true }).fill('Slow and steady');
  await page.getByLabel('Note', { exact: true }).fill('a smaller rate');
  await page.getByRole('heading', { level: 1 }).click();
  await page.getByRole('checkbox', { name: 'Compare Slow and steady' }).waitFor();
  await page.getByRole('searchbox').fill('smaller');
  await page.getByText('1 of 2 runs').waitFor();
  await expectAccessibleEverywhere(page, 'two runs are compared and one is open');
  await button(page, 'Delete: Slow and steady').click();
  await page.getByText('Slow and steady is deleted.').waitFor();
  await page.getByRole('searchbox').fill('');
  await expect.poll(() => boxes.count()).toBe(1);
  await button(page, 'Bring it back').click();
  await expect.poll(() => boxes.count()).toBe(2);
  await exportsEachKind(page);
  await page.reload();
  await page.getByRole('checkbox', { name: 'Compare Slow and steady' }).waitFor({ timeout: patienceMs });
});

test('of two runs of one setup, the one that is not on the page can be opened', { timeout: longMs }, async () => {
  const run = { steps: 1, warm: 2, seed: 1 };
  const page = await openPage({ hash: shortLink(run) });
  await untilReady(page);
  await trainLink(page, run);
  await trainLink(page, run);
  await openLatestRun(page);
  const details = page.getByRole('button', { name: /^Details of/ });
  await expect.poll(() => details.count(), { timeout: patienceMs }).toBe(2);
  await details.nth(1).click();
  await page.getByRole('button', { name: /^Open in the Lab: / }).click({ timeout: patienceMs });
  await untilStatus(page, /^Finished/);
});
