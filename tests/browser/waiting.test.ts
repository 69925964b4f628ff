/**
 * The first seconds: what stands still as the page opens, and what moves from the press of Train to the first point.
 */
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { forPretrained } from '../../src/config/for-pretrained';
import { presetByName } from '../../src/config/presets';
import { addressOf } from '../../src/config/run-link';
import { sum } from '../../src/lib/mean';
import { recordedModel } from '../../src/lib/recorded-model';
import { pretrainedDigest } from '../../src/model/pretrained-digest';
import { openPage } from '../helpers/browser';
import { filesIn } from '../helpers/pretrained';
import { longMs, patienceMs, trainButton, untilReady, untilStatus } from '../helpers/lab';

const views = [
  { width: 1440, height: 900 },
  { width: 360, height: 780 },
];

interface Shift {
  readonly value: number;
  readonly nodes: readonly string[];
}

/** Writes down what moves, also in answer to a press. */
const watchShifts = `
  window.shifts = [];
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries())
      window.shifts.push({ value: entry.value, nodes: entry.sources.map(({ node }) => node?.className || \
node?.nodeName) });
  }).observe({ type: 'layout-shift', buffered: true });
`;

async function expectStill(page: Page): Promise<void> {
  const shifts = await page.evaluate<Shift[]>('window.shifts');
  expect(sum(shifts.map(({ value }) => value)), JSON.stringify(shifts)).toBeLessThanOrEqual(0.02);
}

test.each(views)('nothing jumps while the page opens, $width px wide', { timeout: longMs }, async (viewport) => {
  const page = await openPage({ viewport, before: (empty) => empty.addInitScript(watchShifts) });
  await untilReady(page);
  await page.getByRole('button', { name: /^(Stop replay|Replay again)$/ }).waitFor({ timeout: patienceMs });
  await page.waitForTimeout(500);
  await expectStill(page);
});

/** The address of a run of an adapter. */
async function linkNaming(name: string): Promise<string> {
  const folder = join(import.meta.dirname, '../../public/models/agentlet-1.3m');
  const digest = name === recordedModel.name ? await pretrainedDigest(filesIn(folder)) : '0'.repeat(64);
  const config = forPretrained(presetByName('calculator').config, { name, digest, context: 512 });
  return `#/lab?${await addressOf({ ...config, device: 'cpu' })}`;
}

test.each(views.flatMap((viewport) => ['a-model', recordedModel.name].map((model) => ({ model, viewport }))))(
  'nothing jumps where a link names the model $model, $viewport.width px wide',
  { timeout: longMs },
  async ({ model, viewport }) => {
    const before = (empty: Page) => empty.addInitScript(watchShifts);
    const page = await openPage({ viewport, before, hash: await linkNaming(model) });
    await untilStatus(page, /^Ready/);
    const panel = page.getByRole('heading', { name: 'This run needs a pretrained model' });
    if (model === recordedModel.name)
      await expect.poll(() => trainButton(page).getAttribute('title'), { timeout: patienceMs }).toBeNull();
    else await panel.waitFor({ timeout: patienceMs });
    await page.waitForTimeout(500);
    await expectStill(page);
  },
);

test.each([
  { what: 'the catalog comes late', late: /catalog.*\.json/, never: false },
  { what: 'drawings come late', late: /scenes.*\.json/, never: false },
  { what: 'drawings never come', late: /scenes.*\.json/, never: true },
])('nothing jumps where $what', { timeout: longMs }, async ({ late, never }) => {
  let held = 0;
  const page = await openPage({
    expected: /Failed to load resource/,
    before: async (empty) => {
      await empty.addInitScript(watchShifts);
      await empty.route(late, async (route) => {
        held++;
        await setTimeout(3000);
        await (never ? route.abort() : route.continue());
      });
    },
  });
  await page.getByText('Before', { exact: true }).first().waitFor({ timeout: patienceMs });
  await untilReady(page);
  await page.waitForTimeout(5000);
  expect(held, 'requests held back').toBeGreaterThan(0);
  await expectStill(page);
});

test.each(views)(
  'nothing jumps from Train to the first points, $width px wide',
  { timeout: longMs },
  async (viewport) => {
    const before = (empty: Page) => empty.addInitScript(watchShifts);
    const page = await openPage({ viewport, before, hash: '#/lab?v=1&preset=calculator-mini&device=cpu&steps=40' });
    await untilReady(page);
    await page.getByRole('button', { name: 'Stop replay' }).click();
    await page.getByRole('button', { name: 'Play replay' }).waitFor({ timeout: patienceMs });
    await page.evaluate('window.shifts.length = 0');
    await trainButton(page).click();
    await untilStatus(page, /^RL iteration ([2-9]|\d\d)/);
    await expectStill(page);
  },
);
