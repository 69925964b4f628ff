/** A pretrained model from a person's disk: an adapter of it is trained in the page, shared and resumed. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Page } from '@playwright/test';
import { afterAll, expect, test } from 'vitest';
import { expectAccessible, expectAccessibleEverywhere, openPage } from '../helpers/browser';
import { button, longMs, openSettings, openShare, patienceMs, untilReady, untilStatus } from '../helpers/lab';
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

test(
  'a folder is chosen, its model is trained with calls, shared, and trained again from its link',
  { timeout: 2 * longMs },
  async () => {
    const page = await openPage({ hash: link });
    await untilReady(page);
    await openSettings(page);
    const kinds = page.getByRole('group', { name: 'Kind of model' });
    await page.getByLabel('Layers', { exact: true }).waitFor({ state: 'attached', timeout: patienceMs });
    await kinds.getByLabel('Pretrained model, from your disk').check();
    await expectAccessibleSettings(page, 'a model is asked for');
    await give(page, folder);
    await page.getByText('Qwen3', { exact: true }).waitFor({ timeout: patienceMs });
    await page.getByText('apache-2.0', { exact: true }).waitFor();
    expect(await page.getByLabel('Layers', { exact: true }).count()).toBe(0);
    expect(await page.getByLabel('LoRA rank', { exact: true }).inputValue()).toBe('16');
    await expectAccessibleSettings(page, 'a model is chosen');
    await button(page, 'Train').click();
    await untilStatus(page, /^Finished/, longMs);
    const shared = await openShare(page);
    expect(shared.length).toBeLessThan(2000);
    await page.keyboard.press('Escape');

    const colleague = await openPage({ hash: shared.slice(shared.indexOf('#')) });
    const panel = colleague.getByRole('region', { name: 'This run needs a pretrained model' });
    await panel.getByText('adapter of the pretrained model "tiny-qwen3"').waitFor({ timeout: patienceMs });
    await expectAccessibleEverywhere(colleague, 'a link names a model');
    await give(colleague, other);
    await panel.getByText('the files of "other" are others').waitFor({ timeout: patienceMs });
    await give(colleague, folder);
    await panel.waitFor({ state: 'detached', timeout: patienceMs });
    await button(colleague, 'Train').click();
    await colleague.getByText(/^Same run: the first 3 iterations match bit for bit/).waitFor({ timeout: longMs });
  },
);
