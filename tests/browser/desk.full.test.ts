/** What an iteration's rollouts are like together, and how two of them differ. */
import { expect, test } from 'vitest';
import { expectAccessibleEverywhere, openPage } from '../helpers/browser';
import { button, longMs, patienceMs, untilReady } from '../helpers/lab';

test(
  'histograms follow the iteration, and the next rollout that is read is compared with the one before',
  { timeout: longMs },
  async () => {
    const page = await openPage({ reducedMotion: 'reduce', gpu: 'no adapter' });
    await untilReady(page);
    await page.getByText('Distributions', { exact: true }).click();
    const reward = page.getByRole('img', { name: /^Reward: \d+ rollouts/ });
    await reward.waitFor({ timeout: patienceMs });
    const last = await reward.getAttribute('aria-label');
    const earlier = page.getByRole('button', { name: 'Earlier iteration' });
    for (let i = 0; i < 4; i++) await earlier.click();
    await expect.poll(() => reward.getAttribute('aria-label')).not.toBe(last);
    await button(page, 'Compare with…').click();
    await page.getByText(/^Pick another rollout/).waitFor({ timeout: patienceMs });
    await page.keyboard.press('j');
    await page.getByText(/^Struck: only in iteration \d+ · rollout \d+\. Underlined: only in/).waitFor();
    await expectAccessibleEverywhere(page, 'histograms and a difference');
    await button(page, 'Stop comparing').click();
    await page.getByRole('tab', { name: 'Conversation', selected: true }).waitFor();
  },
);
