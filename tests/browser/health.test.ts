/**
 * The health of a run: every diagnostic with its words, of a recording and of a live run, and an alarm that is seen
 * without looking for it.
 */
import type { Locator, Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { expectAccessibleEverywhere, openPage } from '../helpers/browser';
import { button, longMs, shortLink, untilReady, untilStatus } from '../helpers/lab';

const panelOf = (page: Page): Locator =>
  page.locator('details').filter({ has: page.getByRole('heading', { name: 'Health', exact: true }) });
const lineOf = (page: Page): Locator => panelOf(page).locator('summary');
const listOf = (page: Page): Locator => page.getByRole('list', { name: 'Diagnostics', exact: true });
const rowOf = (page: Page, name: string): Locator =>
  listOf(page)
    .locator('> li')
    .filter({ has: page.getByRole('heading', { name, exact: true }) });

async function openRecording(before?: (page: Page) => Promise<unknown>): Promise<Page> {
  const page = await openPage({ reducedMotion: 'reduce', gpu: 'no adapter', before });
  await untilStatus(page, /^Cannot train here/);
  await expect.poll(() => lineOf(page).innerText()).toMatch(/checks OK|alarm|watch/);
  return page;
}

test(
  'the recorded run has every diagnostic: value, trend, range, state, and what to do',
  { timeout: longMs },
  async () => {
    const page = await openRecording();
    expect(await lineOf(page).innerText()).toMatch(/Health\s+✓ 12 of 12 checks OK/);
    await lineOf(page).focus();
    await page.keyboard.press('Enter');
    // What unfolds is there a moment after the key or the click.
    await listOf(page).waitFor();
    expect(await listOf(page).getByRole('heading').allInnerTexts()).toEqual([
      'In-group deviation of rewards',
      'Groups without signal',
      'Entropy',
      'KL to the start',
      'KL of one update',
      'Clipped above',
      'Clipped below',
      'Dual-clipped',
      'Gradient norm',
      'Information about the task',
      'Cut actions',
      'Echo trap',
    ]);
    const kl = rowOf(page, 'KL to the start');
    expect(await kl.innerText()).toMatch(
      /✓ in range\s+0\.0\d+ nats per token\s+healthy: 0 to 1\s+Distance of the agent from its start/,
    );
    // The starting weights are kept in half precision, so it begins beside 0.
    expect(await kl.getByRole('img').getAttribute('aria-label')).toMatch(
      /^from (0|[\d.]+e-\d+) to 0\.0\d+ over 40 iterations$/,
    );
    expect(await rowOf(page, 'Groups without signal').innerText()).toContain('expected: solved');
    const parts = rowOf(page, 'Gradient norm').getByRole('list', { name: 'Gradient norm of each part' });
    expect((await parts.getByRole('listitem').allInnerTexts()).map((each) => each.split(/\s/)[0])).toEqual([
      'embedding',
      'norms',
      'attention',
      'MLP',
    ]);
    await panelOf(page).getByText('Explained variance: not measured, since this algorithm has no critic.').waitFor();
    await expectAccessibleEverywhere(page, 'health is shown');
  },
);

test('of a recording without diagnostics, only what it has is judged', { timeout: longMs }, async () => {
  const page = await openRecording((empty) =>
    empty.route(/recordings\/calculator\.json$/, async (route) => {
      const recording = (await (await route.fetch()).json()) as { metrics: object[] };
      const metrics = recording.metrics.map((each) => ({ ...each, diagnostics: undefined }));
      await route.fulfill({ json: { ...recording, metrics } });
    }),
  );
  await lineOf(page).click();
  await listOf(page).waitFor();
  expect(await listOf(page).getByRole('heading').allInnerTexts()).toEqual([
    'In-group deviation of rewards',
    'Groups without signal',
    'Entropy',
    'KL to the start',
    'Gradient norm',
    'Cut actions',
  ]);
  expect(await panelOf(page).innerText()).not.toContain('not measured');
});

test(
  'a live run whose rate is far too hot sets off an alarm beside its curves, which a restored run still has',
  { timeout: 2 * longMs },
  async () => {
    const page = await openPage({ hash: shortLink({ steps: 6, lr: 0.1, algo: 'ppo' }) });
    await untilReady(page);
    await button(page, 'Train').click();
    await untilStatus(page, /^RL step 1\/6/);
    await lineOf(page).click();
    await untilStatus(page, /^Finished/);
    expect(await lineOf(page).innerText()).toMatch(/▲ alarm: .*KL to the start/);
    expect(await page.locator('[aria-live="polite"]').filter({ hasText: 'alarm: ' }).innerText()).toContain(
      'KL to the start',
    );
    const kl = await rowOf(page, 'KL to the start').innerText();
    expect(kl).toContain('▲ alarm');
    expect(Number(/([\d.]+) nats per token/.exec(kl)?.[1])).toBeGreaterThan(1);
    expect(await rowOf(page, 'Explained variance').innerText()).toMatch(/healthy: 0 to 1/);
    expect(await rowOf(page, 'Gradient norm').getByRole('list').innerText()).toMatch(
      /embedding\s+[\d.]+[^]*critic\s+[\d.]+/,
    );
    await expectAccessibleEverywhere(page, 'a run is unhealthy');
    const said = await lineOf(page).innerText();

    await page.reload();
    await page.getByRole('button', { name: 'Saved runs' }).click();
    await page.getByRole('button', { name: /^Open: / }).click();
    await untilStatus(page, /^Finished/);
    expect(await lineOf(page).innerText()).toBe(said);
  },
);

test(
  'a setup names the mistakes for teaching as mistakes, under a heading of their own',
  { timeout: longMs },
  async () => {
    const page = await openRecording();
    for (const heading of [
      'KL to the starting weights',
      'Critic',
      'Process rewards and penalties',
      'Rollout filter',
      'Mistakes, for teaching',
    ])
      await page.locator('summary').filter({ hasText: heading }).click();
    for (const name of ['Loss mask', 'Advantage mask'])
      expect(await page.getByRole('switch', { name }).isVisible(), name).toBe(true);
    for (const name of ['KL in', 'KL estimator', 'Critic', 'Process rewards', 'Rollout filter'])
      expect(await page.getByRole('combobox', { name, exact: true }).isVisible(), name).toBe(true);
    await page.getByText('Each is an error that a published trainer once made.').waitFor();
    for (const name of ['Credit reset at environment tokens', 'Reward on a tool token', 'Wrong group ids'])
      await page.getByRole('switch', { name }).check();
    await page
      .getByText('Wrong on purpose: Credit reset at environment tokens, Reward on a tool token, Wrong group ids.')
      .waitFor();
    await expectAccessibleEverywhere(page, 'mistakes are switched on');
  },
);
