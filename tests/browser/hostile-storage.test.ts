/**
 * What another version, another page of the origin or a fault has left in this browser's storage: the pages open, show
 * what can be shown, and say what was left out. `openPage` fails the test if anything is thrown.
 */
import { readFile } from 'node:fs/promises';
import { expect, onTestFinished, test } from 'vitest';
import type { Page } from '@playwright/test';
import { presetByName } from '../../src/config/presets';
import { openPage } from '../helpers/browser';
import { longMs, patienceMs, untilReady } from '../helpers/lab';
import { metricsRow } from '../helpers/metrics-row';

const { config } = presetByName('calculator-mini');
const run = (id: string, more: object = {}) => ({
  id,
  config,
  title: 'Calculator',
  savedAtMs: 1e12,
  iteration: 2,
  warmSteps: 1,
  finished: false,
  curve: [0, 1],
  validation: 0.5,
  ...more,
});
const odd = 'X\u202e\u0001\n## Results <b>';
const other = { ...config, algorithm: { ...config.algorithm, name: 'of-another-version' } };
const record = {
  metrics: [metricsRow(1, { validationSuccess: 0.25 }), metricsRow(2)],
  rollouts: ['none', { steps: 5 }],
};

const entries: readonly (readonly [key: string | number, value: unknown])[] = [
  ['card good', run('good', { title: odd })],
  ['record good', record],
  ['label good', { id: 'good', name: odd, note: { a: 1 }, deleted: 'no' }],
  ['head good 0', { run: run('good', { title: odd }), serial: 0, digest: 'abc' }],
  ['state good 0', 'abc'],
  ['card other', run('other', { config: other, curve: 'abc', validation: {} })],
  ['record other', { metrics: [{ iteration: 'one' }], rollouts: 5 }],
  ['checkpoint good 1', 7],
  ['checkpoint good 2', { snapshot: null }],
  [5, 'a number as a key'],
  ...[null, 'abc', 7, [], {}, { id: 1 }, { id: 'x1' }].map((value, i) => [`card ${i}`, value] as const),
  ...[null, 'abc', { run: null }, { run: run('x2') }].map((value, i) => [`head ${i} 0`, value] as const),
  ...[null, 'abc', 5, { id: {} }].map((value, i) => [`label ${i}`, value] as const),
  ['card noConfig', run('noConfig', { config: undefined })],
  ['card partOfConfig', run('partOfConfig', { config: { ...config, algorithm: undefined } })],
  ['card noTime', run('noTime', { savedAtMs: 1e300 })],
];

const { environment, ...settings } = config;
const item = (id: string, more: object = {}) => ({ id, name: odd, environment: 0, config: settings, ...more });
const queue = {
  environments: [environment],
  items: [
    item('a'),
    item('a'),
    item('b', { config: { ...settings, algorithm: undefined } }),
    item('c', { config: { ...settings, colour: 'red' } }),
    null,
    'abc',
    { id: 'd' },
    ...Array.from({ length: 300 }, (_, i) => item(`more ${i}`, { config: { ...settings, seed: i } })),
  ],
};
const small: Readonly<Record<string, string>> = {
  'agentlet.pace': '{"cpu":"fast"}',
  'agentlet.waits': '[[1,{}],["a",5]]',
  'agentlet.theme': '<b>',
  'agentlet.present': '[]',
  'agentlet.shortcuts': '{}',
  'agentlet.lessons': '1 -1 99999 x',
  'agentlet.environment': '\u202e\u0000 not JavaScript',
};

interface Seeds {
  readonly entries: readonly (readonly [key: string, value: unknown])[];
  readonly strings: Readonly<Record<string, string>>;
}

/** Stores all of it before the page's own code runs, at the first visit of the context. */
async function seed(page: Page): Promise<void> {
  await page.addInitScript(
    ({ entries, strings }: Seeds) => {
      // The sandbox's frame has no storage.
      if (window !== top || sessionStorage.getItem('seeded')) return;
      sessionStorage.setItem('seeded', 'yes');
      for (const [key, value] of Object.entries(strings)) localStorage.setItem(key, value);
      const opening = indexedDB.open('agentlet runs', 1);
      opening.onupgradeneeded = () => opening.result.createObjectStore('entries');
      opening.onsuccess = () => {
        const transaction = opening.result.transaction('entries', 'readwrite');
        for (const [key, value] of entries) transaction.objectStore('entries').put(value, key);
        transaction.oncomplete = () => opening.result.close();
      };
    },
    { entries: entries as Seeds['entries'], strings: { ...small, 'agentlet.queue': JSON.stringify(queue) } },
  );
}

test(
  'every page opens over a storage that another version or another page has written',
  { timeout: longMs },
  async () => {
    const page = await openPage({ hash: '#/runs', before: seed });
    await expect.poll(() => page.getByRole('checkbox', { name: /^Compare / }).count(), { timeout: patienceMs }).toBe(2);
    await page.getByText(/runs? of the queue (was|were) left out: what this browser has stored of/).waitFor();
    const list = page.getByRole('region', { name: 'Queued runs' }).or(page.getByRole('list', { name: 'Queued runs' }));
    await expect
      .poll(() => list.first().getByRole('listitem').count(), { timeout: patienceMs })
      .toBeLessThanOrEqual(24);
    const shown = await page.locator('main').innerText();
    expect(shown).not.toMatch(/[\u202e\u0001]/);
    expect(shown).toContain('X?? ## Results <b>');

    // Its record cannot be read, and its config has no address.
    await page
      .getByRole('checkbox', { name: /^Compare / })
      .nth(1)
      .check();
    await page
      .getByRole('alert')
      .getByText(/cannot be read/)
      .waitFor({ timeout: patienceMs });
    await page
      .getByRole('checkbox', { name: /^Compare / })
      .nth(1)
      .uncheck();
    await page
      .getByRole('checkbox', { name: /^Compare / })
      .first()
      .check();
    await page.getByRole('slider', { name: /Success.* at iteration/ }).waitFor({ timeout: patienceMs });

    for (const hash of ['#/', '#/learn', '#/lab', '#/runs']) {
      await page.evaluate((to) => (location.hash = to), hash);
      await page.getByRole('heading', { level: 1 }).first().waitFor({ timeout: patienceMs });
    }
  },
);

/** A page without the policy of ours, which lets nobody parse. */
async function blankPage(page: Page): Promise<Page> {
  const context = await page.context().browser()!.newContext();
  onTestFinished(() => context.close());
  return context.newPage();
}

test('pictures of a run of such a name are XML, and what cannot go on says so', { timeout: longMs }, async () => {
  const page = await openPage({ hash: '#/lab', before: seed });
  await untilReady(page);
  await page.evaluate(() => (location.hash = '#/runs'));
  await expect.poll(() => page.getByRole('checkbox', { name: /^Compare / }).count(), { timeout: patienceMs }).toBe(2);
  await page.getByRole('button', { name: /^Details of X\?\? ## Results/ }).click();
  await page.getByText('Export', { exact: true }).first().click();
  const reader = await blankPage(page);
  for (const kind of ['SVG', 'Model card']) {
    const downloading = page.waitForEvent('download', { timeout: patienceMs });
    await page.getByRole('button', { name: new RegExp(`^${kind} `) }).click();
    const text = await readFile((await (await downloading).path())!, 'utf8');
    if (kind === 'Model card') expect(text.match(/^## Results$/gm)).toHaveLength(1);
    else
      expect(
        await reader.evaluate((svg) => {
          const read = new DOMParser().parseFromString(svg, 'image/svg+xml');
          return read.querySelector('parsererror')?.textContent ?? read.documentElement.localName;
        }, text),
      ).toBe('svg');
  }
  await page
    .getByRole('button', { name: /^Resume/ })
    .first()
    .click();
  await page
    .getByRole('alert')
    .getByText(/not there any more, or cannot be read/)
    .first()
    .waitFor({ timeout: patienceMs });
});
