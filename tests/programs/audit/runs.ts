/** The page of runs with a hundred of them: how soon they are listed, six curves, what differs, and a run's parent. */
import type { Page } from '@playwright/test';
import { leaves, type Leaf } from '../../../src/lib/leaves';
import { presetByName } from '../../../src/config/presets';
import { recordedRun } from '../../helpers/recorded-run';
import { atMost, mustBe, type Row } from './row';
import { patienceMs, untilReady, type Visits } from './visit';

const stored = 100;
const compared = 6;

export async function runs(visits: Visits): Promise<Row[]> {
  const page = await visits.open('#/lab');
  await untilReady(page);
  await page.evaluate(storeEntries, entries());
  const tookMs = await page.evaluate(listMs, stored);
  const rows = [
    atMost(`${stored} stored runs are listed`, tookMs, 100, ' ms'),
    ...(await comparison(page)),
    await parent(page),
  ];
  await page.context().close();
  return rows;
}

const idOf = (run: number): string => `run ${run}`;

/** What kept-runs.ts stores: a card and a record a run. The second run has another value in every setting. */
function entries(): [string, unknown][] {
  const { config } = presetByName('calculator');
  const { metrics, rollouts } = recordedRun('calculator');
  const curve = metrics.map(({ success }) => success);
  return Array.from({ length: stored }, (_, run): [string, unknown][] => {
    const card = {
      id: idOf(run),
      title: 'Calculator',
      savedAtMs: Date.now() - 1000 * run,
      warmSteps: 0,
      finished: true,
      iteration: metrics.length,
      curve,
      validation: null,
      adapter: 'CPU',
      engineVersion: '0.9.0',
      ...(run === 0 && { parent: idOf(2) }),
      config: run === 1 ? other(config) : { ...config, seed: run, iterations: 40 + run },
    };
    return [
      [`card ${card.id}`, card],
      [`record ${card.id}`, { metrics, rollouts: rollouts.slice(0, 8) }],
    ];
  }).flat();
}

/** Another value at the end of every path. */
function other<T extends object>(value: T): T {
  const changed = (leaf: Leaf): Leaf =>
    typeof leaf === 'number' ? leaf + 1 : typeof leaf === 'boolean' ? !leaf : `${leaf} 2`;
  return JSON.parse(
    JSON.stringify(value, (_, inner: unknown) =>
      ['number', 'boolean', 'string'].includes(typeof inner) ? changed(inner as Leaf) : inner,
    ),
  ) as T;
}

/** In the page. */
async function storeEntries(entries: [string, unknown][]): Promise<void> {
  const opening = indexedDB.open('agentlet runs', 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore('entries');
  await new Promise((resolve, reject) => Object.assign(opening, { onsuccess: resolve, onerror: reject }));
  const writing = opening.result.transaction('entries', 'readwrite');
  for (const [key, value] of entries) writing.objectStore('entries').put(value, key);
  await new Promise((resolve, reject) => Object.assign(writing, { oncomplete: resolve, onerror: reject }));
  opening.result.close();
}

/** In the page: from the press of *Runs* to the frame that shows all rows. */
async function listMs(count: number): Promise<number> {
  const listed = () => document.querySelectorAll('main li input[type="checkbox"]').length === count;
  const patienceMs = 60_000;
  const beginMs = performance.now();
  document.querySelector<HTMLElement>('nav a[href="#/runs"]')!.click();
  while (!listed()) {
    if (performance.now() - beginMs > patienceMs) throw new Error(`${count} runs were not listed within a minute.`);
    await new Promise(requestAnimationFrame);
  }
  return performance.now() - beginMs;
}

async function comparison(page: Page): Promise<Row[]> {
  const boxes = page.getByRole('checkbox', { name: /^Compare / });
  for (let run = 2; run < 2 + compared; run++) await boxes.nth(run).check();
  const slider = page.getByRole('slider', { name: /Success.* at iteration/ });
  await slider.focus();
  await page.keyboard.press('End');
  const spoken = (await slider.getAttribute('aria-valuetext')) ?? '';
  await page.getByRole('button', { name: 'Untick all', exact: true }).click();
  for (const run of [1, 3]) await boxes.nth(run).check();
  const diff = page.getByRole('region', { name: 'What differs' });
  await diff.waitFor({ timeout: patienceMs });
  const titles = await diff.getByRole('rowheader').allTextContents();
  const { config } = presetByName('calculator');
  const paths = leaves(config);
  const named = new Set(titles.filter((title) => !paths.has(title)));
  return [
    mustBe('curves over each other', String(spoken.match(/\s%/g)?.length), String(compared)),
    mustBe('changed settings named in the difference', String(named.size), String(paths.size)),
  ];
}

async function parent(page: Page): Promise<Row> {
  await page
    .getByRole('button', { name: /^Details of/ })
    .first()
    .click();
  const words = await page.getByText(/^It goes on from/).innerText({ timeout: patienceMs });
  const from = /^It goes on from [a-z]+ [a-z]+\. Changed since then: .*Seed/.test(words);
  return mustBe(
    'a run that goes on from another names it',
    from ? 'named, with its changes' : words,
    'named, with its changes',
  );
}
