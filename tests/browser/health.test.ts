/**
 * The health of a recorded run: every diagnostic with its words.
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
    expect(await lineOf(page).innerText()).toMatch(/Health\s+✓\s+12 of 12 checks OK/);
    await page.getByRole('tab', { name: 'Rollout', exact: true }).focus();
    await page.keyboard.press('End');
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
      /✓ in range\s+0\.0\d+ per token\s+healthy: 0 to 1\s+Distance of the agent from the reference policy/,
    );
    // The reference policy is kept in half precision, so it begins beside 0.
    expect(await kl.getByRole('img').getAttribute('aria-label')).toMatch(
      /^from (0|[\d.]+e-\d+) to 0\.0\d+ over 40 iterations$/,
    );
    // Which of the two depends on the recording's last step: both are said when most tasks are solved.
    expect(await rowOf(page, 'Groups without signal').innerText()).toMatch(/✓ (in range|expected: solved)/);
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
