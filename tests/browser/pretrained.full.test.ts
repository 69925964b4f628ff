/** A pretrained model from a person's disk: an adapter of it is trained in the page, shared and resumed. */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { afterAll, expect, test } from 'vitest';
import { expectAccessible, expectAccessibleEverywhere, openPage } from '../helpers/browser';
import { throwInWorker } from '../helpers/faults';
import {
  button,
  longMs,
  openChat,
  openSettings,
  openShare,
  patienceMs,
  resumeLatestRun,
  trainButton,
  untilReady,
  untilStatus,
} from '../helpers/lab';
import { expectNotice } from '../helpers/notices';
import { writeTinyPretrained } from '../helpers/tiny-pretrained';

const root = mkdtempSync(join(tmpdir(), 'agentlet-page-model-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));
const folder = writeTinyPretrained(join(root, 'tiny-qwen3'));
const other = writeTinyPretrained(join(root, 'other'), 2);

/** No tiny random model solves a task; the penalty of long episodes gives its groups a signal. */
const link =
  '#/lab?v=1&preset=calculator&seed=1&device=cpu&steps=3&demos=0&tasks=2&group=4&turns=3&evalTasks=4&evalEvery=3' +
  '&overlong=1&overlongFrom=1&overlongBuffer=300';

/** The settings unfold anew where the page's width changes their place. */
async function expectAccessibleSettings(page: Page, state: string): Promise<void> {
  for (const [width, colorScheme] of [
    [360, 'dark'],
    [1440, 'light'],
  ] as const) {
    await page.setViewportSize({ width, height: 900 });
    await page.emulateMedia({ colorScheme });
    const ofPhones = page.getByRole('tab', { name: 'Curve', exact: true });
    await ofPhones.waitFor({ state: width === 360 ? 'visible' : 'detached', timeout: patienceMs });
    await openSettings(page);
    await page.locator('input[webkitdirectory]').first().waitFor({ state: 'attached', timeout: patienceMs });
    await expectAccessible(page, `${state} ${colorScheme} ${width}`);
    const overflowPx = await page.evaluate(
      () => document.documentElement.scrollWidth - document.documentElement.clientWidth,
    );
    expect(overflowPx, `pixels that stick out when ${state} at ${width}`).toBe(0);
  }
}

const give = (page: Page, path: string) => page.locator('input[webkitdirectory]').first().setInputFiles(path);

/** As from the desk's window of files: the browser makes the entries of a real folder. */
async function drop(page: Page, path: string): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const data = { items: [], files: [path], dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
    await session.send('Input.dispatchDragEvent', { type, x: 400, y: 400, data });
}

test(
  'a folder is chosen, its model is trained with calls, shared, and trained again from its link',
  { timeout: 2 * longMs },
  async () => {
    const page = await openPage({ hash: link });
    await untilReady(page);
    await openSettings(page);
    const kinds = page.getByRole('group', { name: 'Kind of model' });
    await page.getByLabel('Layers', { exact: true }).waitFor({ state: 'attached', timeout: patienceMs });
    await kinds.getByLabel('Pretrained model: of this page, a hub or your disk').check();
    await expectAccessibleSettings(page, 'a model is asked for');
    await drop(page, folder);
    await page.getByText('Qwen3', { exact: true }).waitFor({ timeout: patienceMs });
    await page.getByText('apache-2.0', { exact: true }).waitFor();
    expect(await page.getByLabel('Layers', { exact: true }).count()).toBe(0);
    expect(await page.getByLabel('LoRA rank', { exact: true }).inputValue()).toBe('16');
    await expectAccessibleSettings(page, 'a model is chosen');
    await trainButton(page).click();
    await untilStatus(page, /^Finished/, longMs);
    const shared = await openShare(page);
    expect(shared.length).toBeLessThan(2000);
    await page.keyboard.press('Escape');

    const colleague = await openPage({ hash: shared.slice(shared.indexOf('#')) });
    const panel = colleague.getByRole('region', { name: 'This run needs a pretrained model' });
    await panel.getByText('adapter of the pretrained model "tiny-qwen3"').waitFor({ timeout: patienceMs });
    await expectAccessibleEverywhere(colleague, 'a link names a model');
    await untilStatus(colleague, /^Ready/);
    await give(colleague, other);
    await panel.getByText('the files of "other" are others').waitFor({ timeout: patienceMs });
    await give(colleague, folder);
    await panel.waitFor({ state: 'detached', timeout: patienceMs });
    await button(colleague, 'Run it here').click();
    await colleague.getByText(/^Same run: the first 3 iterations match bit for bit/).waitFor({ timeout: longMs });
  },
);

/** The browser's private file system gives real folders, where a headless browser asks nobody. */
async function answerPicker(page: Page): Promise<void> {
  const files = Object.fromEntries(
    readdirSync(folder).map((name) => [name, readFileSync(join(folder, name)).toString('base64')]),
  );
  await page.addInitScript((contents) => {
    const write = async () => {
      const root = await navigator.storage.getDirectory();
      const made = await root.getDirectoryHandle('tiny-qwen3', { create: true });
      for (const [name, text] of Object.entries(contents)) {
        const file = await (await made.getFileHandle(name, { create: true })).createWritable();
        await file.write(Uint8Array.from(atob(text), (character) => character.charCodeAt(0)));
        await file.close();
      }
      return made;
    };
    Object.assign(window, { showDirectoryPicker: write });
  }, files);
}

test(
  'a folder that the browser gave a handle of is opened again after a reload, and its run goes on',
  { timeout: 2 * longMs },
  async () => {
    const page = await openPage({ hash: link, before: answerPicker });
    await untilReady(page);
    await openSettings(page);
    await page.getByLabel('Pretrained model: of this page, a hub or your disk').check();
    await button(page, 'Choose the folder').click();
    await page.getByText('Qwen3', { exact: true }).waitFor({ timeout: patienceMs });
    await button(page, 'Iterate').click();
    await untilStatus(page, /^Paused/, longMs);
    const box = await openChat(page);
    await box.fill('(2+3)*4');
    await box.press('Enter');
    await page
      .getByText(/^(No answer|.*right|.*wrong)/i)
      .first()
      .waitFor({ timeout: patienceMs });
    await page.getByRole('tab', { name: 'Rollout', exact: true }).click();
    await page.getByRole('tab', { name: 'Tokens', exact: true }).click();
    const opening = page.getByRole('option', { name: /im_start/ }).first();
    await opening.waitFor({ timeout: patienceMs });
    await page.getByText(/^Rendered again by the model’s chat template, the conversation /).waitFor();
    await page.getByLabel('Ids beside the text').check();
    // The id of <|im_start|> in the tiny tokenizer.
    expect(await opening.evaluate((cell) => getComputedStyle(cell, '::after').content)).toBe('"257"');
    await expectAccessible(page, 'ids stand beside tokens');

    await throwInWorker(page, 'a crash');
    await expectNotice(page, /a crash\) and was started again/);
    await untilStatus(page, /^Paused/);

    await page.reload();
    await resumeLatestRun(page);
    await untilStatus(page, /^Finished/, longMs);
    await page.getByText('This run needs a pretrained model').waitFor({ state: 'detached' });
  },
);

test('on WebGPU its run goes the same way', { timeout: 2 * longMs }, async () => {
  const page = await openPage({ hash: `${link}&steps=1`.replace('device=cpu', 'device=gpu') });
  await untilReady(page);
  await openSettings(page);
  await page.getByLabel('Pretrained model: of this page, a hub or your disk').check();
  await give(page, folder);
  await page.getByText('Qwen3', { exact: true }).waitFor({ timeout: patienceMs });
  await trainButton(page).click();
  await untilStatus(page, /^Finished/, longMs);
});

test(
  'the model that comes with the page is a press away, learns, and its link fetches it',
  { timeout: 2 * longMs },
  async () => {
    const page = await openPage({ hash: '#/lab?v=1&preset=calculator&seed=1&device=cpu' });
    await untilReady(page);
    await openSettings(page);
    await page.getByLabel('Pretrained model: of this page, a hub or your disk').check();
    await page.getByRole('button', { name: /^Use agentlet-1\.3m of this page/ }).click();
    await page.getByText('Llama', { exact: true }).waitFor({ timeout: patienceMs });
    await button(page, 'Iterate').click();
    await untilStatus(page, /^Paused/, longMs);
    const shared = await openShare(page);

    const colleague = await openPage({ hash: shared.slice(shared.indexOf('#')) });
    await untilStatus(colleague, /^(Opening the model|Ready)/);
    await button(colleague, 'Iterate').click();
    await colleague.getByText(/^Same run: the first iteration matches bit for bit/).waitFor({ timeout: longMs });
  },
);
