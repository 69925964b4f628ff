/**
 * The health of a run: every diagnostic with its words, of a recording and of a live run, and an alarm that is seen
 * without looking for it.
 */
import { expect, test } from 'vitest';
import { expectAccessibleEverywhere } from '../helpers/browser';
import { longMs } from '../helpers/lab';
import { panelOf, lineOf, listOf, rowOf, openRecording } from '../helpers/health-panel';

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
      'KL to the reference',
      'KL of one update',
      'Clipped above',
      'Clipped below',
      'Dual-clipped',
      'Gradient norm',
      'Information about the task',
      'Cut actions',
      'Echo trap',
    ]);
    const kl = rowOf(page, 'KL to the reference');
    expect(await kl.innerText()).toMatch(
      /✓ in range\s+0\.0\d+ nats per token\s+healthy: 0 to 1\s+Distance of the agent from the reference policy/,
    );
    // The reference policy is kept in half precision, so it begins beside 0.
    expect(await kl.getByRole('img').getAttribute('aria-label')).toMatch(
      /^from (0|[\d.]+e-\d+) to 0\.0\d+ over 40 steps$/,
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

test(
  'a setup names the mistakes for teaching as mistakes, under a heading of their own',
  { timeout: longMs },
  async () => {
    const page = await openRecording();
    for (const heading of [
      'KL to the reference policy',
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
