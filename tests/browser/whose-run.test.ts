/**
 * Recordings in the page: each preset plays its own, the reader and the list agree, and a reload is no
 * letter.
 */
import { expect, test } from 'vitest';
import { openPage } from '../helpers/browser';
import { longMs, untilStatus } from '../helpers/lab';

test('a chosen preset brings its own recorded run, and still does after a reload', { timeout: longMs }, async () => {
  const page = await openPage({ gpu: 'no adapter', reducedMotion: 'reduce' });
  await untilStatus(page, /^Ready/);
  const rollouts = page.getByRole('region', { name: 'Rollouts', exact: true });
  const reader = page.getByRole('tabpanel', { name: 'Rollout', exact: true });
  await expect.poll(() => reader.innerText()).toContain('calc');
  await page.getByRole('combobox', { name: 'Preset' }).selectOption('bandit');
  for (const opened of ['chosen', 'reloaded']) {
    await expect.poll(() => rollouts.innerText(), { message: opened }).toMatch(/Table/i);
    await expect.poll(() => reader.innerText(), { message: opened }).not.toContain('calc');
    expect(await rollouts.innerText(), opened).toMatch(/\d+ of \d+ tasks kept/);
    expect(await page.getByRole('heading', { level: 1 }).innerText(), opened).toMatch(/bandit/i);
    expect(await page.getByText('Someone sent you').count(), opened).toBe(0);
    await expect.poll(() => new URL(page.url()).hash).toMatch(/preset=bandit/);
    expect(page.url()).not.toContain('from=');
    if (opened === 'chosen') await page.reload();
  }
});

test('while a recording plays, the rollout being read is a row of the list', { timeout: longMs }, async () => {
  const page = await openPage({ gpu: 'no adapter' });
  const rows = page.getByRole('grid', { name: 'List of rollouts' });
  await rows.getByRole('row').nth(1).waitFor({ timeout: 30_000 });
  for (let look = 0; look < 8; look++) {
    await expect.poll(() => rows.locator('[aria-selected="true"]').count()).toBe(1);
    await page.waitForTimeout(400);
  }
});
