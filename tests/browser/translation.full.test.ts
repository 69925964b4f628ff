/** The page in a language in which every word stands in ⟦ ⟧: what stands outside was said by somebody else. */
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { openPage } from '../helpers/browser';
import { longMs, patienceMs, shortLink, untilStatus } from '../helpers/lab';
import { buildAndServe, type Site } from '../helpers/site';
import { strayWords } from '../helpers/stray-words';

/** Who else speaks on the page. */
const othersWords = [
  // Code, keys, and what is written in the editor.
  ...['code', 'pre', 'kbd', '.cm-content'],
  // Authors of worlds: titles, tasks, tools and options; and what is said in their episodes.
  ...['article.panel h2', '.intro h1', '.task', '.watch', '.prompt', '.chip', '.term', 'p.call', '.attempt .value'],
  ...['.message p', '.wrote', '.answer', '.end b', '.cell', '.wide .environment', '.wide .agent'],
  // The engine: settings, sizes of models, algorithms with their formulas, and the device.
  ...['.field', '.sizes .name', '.numbers th', '.group p', '.formula .line', 'figure th', '.origin'],
  // Experiments, in their files.
  ...['.results h3', '.results section > p', '.results th'],
  // Names of runs, with their dates, and of commands that open a world.
  ...['.tile .name', '.when', '.field input', 'dialog form li', '[role="listbox"] .name'],
];

let site: Site;

beforeAll(async () => {
  process.env.AGENTLET_LANGUAGE = join(import.meta.dirname, '../ui/translations/en-XA.ts');
  site = await buildAndServe();
  delete process.env.AGENTLET_LANGUAGE;
});

afterAll(() => site.close());

test(
  'the worlds, the lessons and a first visit to the Lab say nothing outside of the catalogue',
  { timeout: longMs },
  async () => {
    const page = await openPage({ hash: '#/', site: site.plainUrl });
    expect(await page.evaluate(() => document.documentElement.lang)).toBe('en-XA');
    await heading(page, 'Worlds');
    expect((await strayWords(page, ['h1'])).join(), 'the words of a world').toContain('Calculator');
    await expectTranslated(page, 'worlds');
    await open(page, '#/runs', 'Runs');
    await open(page, '#/learn', 'Learn');
    await open(page, '#/learn/teachers', 'For teachers');
    await open(page, '#/learn/1', 'Agent and tool');
    await page.evaluate(() => (location.hash = '#/lab'));
    await untilStatus(page, /^⟦Ready⟧/);
    await expectTranslated(page, 'Lab');
    await page.locator('summary', { hasText: '⟦All settings⟧' }).click();
    await page.getByText('⟦Learning rate⟧', { exact: true }).first().waitFor();
    await expectTranslated(page, 'settings');
    await button(page, 'Keyboard shortcuts').click();
    await expectTranslated(page, 'shortcuts');
    await page.keyboard.press('Escape');
    await page.keyboard.press('Control+k');
    await page.getByRole('listbox').waitFor();
    await expectTranslated(page, 'palette');
    await page.keyboard.press('Escape');
    await button(page, 'Your own environment…').click();
    await page.locator('.cm-content').click();
    await page.keyboard.press('Control+f');
    await page.locator('.cm-search').waitFor();
    await expectTranslated(page, 'editor');
  },
);

test(
  'a run, its link, its files and its entry in the list say nothing outside of the catalogue',
  { timeout: longMs },
  async () => {
    const page = await openPage({ hash: shortLink({ steps: 2 }), site: site.plainUrl });
    await untilStatus(page, /^⟦Ready⟧/);
    await expectTranslated(page, 'link');
    await button(page, 'Train').click();
    await untilStatus(page, /^⟦Finished⟧/);
    await expectTranslated(page, 'finished');
    await button(page, 'Reward desk').click();
    await page.getByRole('dialog').waitFor();
    await expectTranslated(page, 'reward desk');
    await page.keyboard.press('Escape');
    await page.locator('summary', { hasText: '⟦Export⟧' }).click();
    await expectTranslated(page, 'export');
    await page.keyboard.press('Escape');
    for (const name of ['Tokens', 'Attempts', 'JSON']) {
      await page.getByRole('tab', { name: `⟦${name}⟧`, exact: true }).click();
      await expectTranslated(page, name);
    }
    for (const name of ['Health', 'Chat']) {
      await page.getByRole('tab', { name: new RegExp(`^⟦${name}⟧`) }).click();
      await expectTranslated(page, name);
    }
    for (const name of ['More charts', 'Compare estimators', 'Experiments']) {
      await page.locator('summary', { hasText: `⟦${name}⟧` }).click();
      await expectTranslated(page, name);
    }
    await button(page, 'Share').click();
    await page.getByRole('textbox', { name: '⟦Link⟧', exact: true }).waitFor();
    await expectTranslated(page, 'share');
    await page.keyboard.press('Escape');
    await open(page, '#/runs', 'Runs');
    await page.getByRole('button', { name: /^⟦Details of/ }).click();
    await page.getByRole('button', { name: /^⟦⟦Queue more like it/ }).click();
    await page.getByRole('dialog').waitFor();
    await expectTranslated(page, 'queue');
  },
);

const button = (page: Page, name: string) => page.getByRole('button', { name: `⟦${name}⟧`, exact: true });

const heading = (page: Page, name: string) =>
  page.getByRole('heading', { level: 1, name: `⟦${name}⟧`, exact: true }).waitFor({ timeout: patienceMs });

async function open(page: Page, hash: string, name: string): Promise<void> {
  await page.evaluate((to) => (location.hash = to), hash);
  await heading(page, name);
  await expectTranslated(page, hash);
}

async function expectTranslated(page: Page, state: string): Promise<void> {
  // What opens may load first.
  await page.waitForTimeout(500);
  expect.soft(await strayWords(page, othersWords), state).toEqual([]);
}
