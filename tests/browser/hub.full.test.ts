/** A model of a hub: its bill, its download over a reload, and training with the hub gone. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { afterAll, expect, inject, test } from 'vitest';
import { expectAccessible, openPage } from '../helpers/browser';
import { hubCommit, hubModel, openHub } from '../helpers/hub';
import { longMs, openSettings, openShare, patienceMs, trainButton, untilReady, untilStatus } from '../helpers/lab';
import { writeTinyPretrained } from '../helpers/tiny-pretrained';

const root = mkdtempSync(join(tmpdir(), 'agentlet-page-hub-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const folder = writeTinyPretrained(join(root, 'tiny-qwen3'));

/** No tiny random model solves a task; the penalty of long episodes gives its groups a signal. */
const link =
  '#/lab?v=1&preset=calculator&seed=1&device=cpu&steps=3&demos=0&tasks=2&group=4&turns=3&evalTasks=4&evalEvery=3' +
  '&overlong=1&overlongFrom=1&overlongBuffer=300';
const secondShard = 'model-00002-of-00002.safetensors';

/** Where the bar of commands hides no part of a button. */
async function expectAccessibleAtTop(page: Page, state: string): Promise<void> {
  await page.evaluate(() => scrollTo(0, 0));
  await expectAccessible(page, state);
}

test(
  'a model is billed, downloaded over a reload, kept, and trained without the hub',
  { timeout: 3 * longMs },
  async () => {
    const hub = await openHub(folder, inject('hubPort'));
    // The strictest host: its policy holds for workers too, and its page is isolated.
    const site = inject('siteIsolatedUrl');
    const expected = /net::ERR_INCOMPLETE_CHUNKED|ERR_CONN/;
    const page = await openPage({ site, hash: link, hub: hub.address, expected });
    const openModels = async () => {
      await untilReady(page);
      await openSettings(page);
      await page.getByLabel('Pretrained model: of this page, a hub or your disk').check({ timeout: patienceMs });
    };
    const ask = async () => {
      await page.getByLabel('A model of a hub').fill(hubModel);
      await page.getByRole('button', { name: /^Ask .* what it costs$/ }).click();
    };
    const kept = page.getByRole('list', { name: 'Models that this browser keeps' });

    await openModels();
    expect(hub.urls).toEqual([]);
    await ask();
    const bill = page.getByRole('region', { name: 'What it costs' });
    await bill.getByText(/^To fetch: [\d.]+ kB\. Licence: apache-2\.0\.$/).waitFor({ timeout: patienceMs });
    await bill.getByText(/^Memory: .* key\/value cache of /).waitFor();
    await bill.getByText(/^An iteration: about /).waitFor();
    expect(hub.urls.filter((url) => url.endsWith('.safetensors'))).toEqual([]);
    await expectAccessibleAtTop(page, 'a model is billed');

    // The second shard never comes: the page is left while it waits.
    hub.faults = { stuck: secondShard };
    await bill.getByRole('button', { name: 'Download' }).click();
    await expect.poll(() => hub.sent.some(({ file }) => file === secondShard), { timeout: patienceMs }).toBe(true);
    await page.reload();
    await openModels();
    await kept.getByText('not whole: download it again to go on').waitFor({ timeout: patienceMs });

    hub.faults = { drop: 8000 };
    hub.sent.length = 0;
    await ask();
    await bill.getByRole('button', { name: 'Download' }).click();
    await page.getByText('Qwen3', { exact: true }).waitFor({ timeout: patienceMs });
    expect(hub.sent.some(({ file }) => file === 'model-00001-of-00002.safetensors')).toBe(false);
    expect(hub.sent.some(({ file }) => file === secondShard)).toBe(true);

    await hub.close();
    await page.reload();
    await openModels();
    await kept.getByRole('button', { name: 'Use' }).click({ timeout: patienceMs });
    await page.getByText('Qwen3', { exact: true }).waitFor({ timeout: patienceMs });
    await expectAccessibleAtTop(page, 'a model is kept');
    await trainButton(page).click();
    await untilStatus(page, /^Finished/, longMs);

    // The link opens the model that is kept, and the same config and bits make the same link again.
    const shared = await openShare(page);
    await page.goto('about:blank');
    await page.goto(site + shared.slice(shared.indexOf('#')));
    await openModels();
    await page.getByText('Qwen3', { exact: true }).waitFor({ timeout: patienceMs });
    expect(await page.getByLabel('A model of a hub').inputValue()).toBe(`${hubModel}@${hubCommit}`);
    await trainButton(page).click();
    await untilStatus(page, /^Finished/, longMs);
    expect(await openShare(page)).toBe(shared);
    await page.keyboard.press('Escape');

    await kept.getByRole('button', { name: 'Delete' }).click();
    await kept.waitFor({ state: 'detached', timeout: patienceMs });
  },
);

test('of two tabs that download the same model, one says that the other does', { timeout: 2 * longMs }, async () => {
  const hub = await openHub(folder, inject('hubPort'));
  const site = inject('siteIsolatedUrl');
  const page = await openPage({ site, hash: link, hub: hub.address, expected: /net::ERR_INCOMPLETE_CHUNKED|ERR_CONN/ });
  const second = await page.context().newPage();
  await second.goto(site + link);
  const download = async (tab: Page) => {
    await untilReady(tab);
    await openSettings(tab);
    await tab.getByLabel('Pretrained model: of this page, a hub or your disk').check({ timeout: patienceMs });
    await tab.getByLabel('A model of a hub').fill(hubModel);
    await tab.getByRole('button', { name: /^Ask .* what it costs$/ }).click();
    await tab.getByRole('button', { name: 'Download', exact: true }).click({ timeout: patienceMs });
  };
  hub.faults = { stuck: secondShard };
  await download(page);
  await expect.poll(() => hub.sent.some(({ file }) => file === secondShard), { timeout: patienceMs }).toBe(true);
  await download(second);
  await second.getByText(/^Another tab is downloading this model: wait for its end/).waitFor({ timeout: patienceMs });

  // The first one is stopped and goes on, unharmed; then the second one has it too.
  hub.faults = {};
  await page.getByRole('button', { name: 'Stop the download' }).click();
  for (const tab of [page, second]) {
    await tab.getByRole('button', { name: 'Download', exact: true }).click({ timeout: patienceMs });
    await tab.getByText('Qwen3', { exact: true }).waitFor({ timeout: patienceMs });
  }
  expect(hub.sent.filter(({ file }) => file === 'model-00001-of-00002.safetensors')).toHaveLength(1);
  await hub.close();
});
