/** While a run trains, rollouts of its newest iteration play side by side, and each opens in the reader. */
import { expect, test } from 'vitest';
import type { Locator, Page } from '@playwright/test';
import { expectAccessible, openPage, type PageOptions } from '../helpers/browser';
import { button, longMs, patienceMs, quickLink, untilReady, untilStatus } from '../helpers/lab';

async function openTraining(options: PageOptions = {}): Promise<{ page: Page; crowd: Locator; ones: Locator }> {
  const page = await openPage({ hash: quickLink({ steps: 40 }), ...options });
  await untilReady(page);
  await button(page, 'Train').click();
  const crowd = page.getByRole('region', { name: 'Its rollouts' });
  const ones = crowd.getByRole('button', { name: /^Rollout \d+/ });
  await ones.first().waitFor({ timeout: patienceMs });
  return { page, crowd, ones };
}

const marks = (crowd: Locator) => crowd.getByText(/^[✓✗]$/);

test('each of the crowd says how it ended, and is read when it is pressed', { timeout: longMs }, async () => {
  const { page, crowd, ones } = await openTraining();
  await expect.poll(() => ones.count(), { timeout: patienceMs }).toBe(32);
  expect(await crowd.getByRole('group').count(), 'groups of eight').toBe(4);
  await expect.poll(() => marks(crowd).count(), { timeout: patienceMs }).toBe(32);
  const painted = await crowd.locator('canvas').evaluateAll(
    (all) =>
      (all as HTMLCanvasElement[]).filter((canvas) => {
        const { data } = canvas.getContext('2d')!.getImageData(0, 0, canvas.width, canvas.height);
        return new Set(new Uint32Array(data.buffer)).size > 2;
      }).length,
  );
  expect(painted, 'all are drawn').toBe(32);
  await untilStatus(page, /^Finished/);
  await expectAccessible(page, 'the crowd');
  // One stop of Tab, and keys among them.
  expect(await crowd.locator('button[tabindex="0"]').count()).toBe(1);
  await ones.first().focus();
  await page.keyboard.press('ArrowRight');
  await page.keyboard.press('Enter');
  const success = /solved$/.test((await ones.nth(1).getAttribute('aria-label'))!);
  const reader = page.locator('#reader');
  await reader.getByText(/· rollout 1$/).waitFor({ timeout: patienceMs });
  await reader
    .getByText(success ? /solved/ : /failed/)
    .first()
    .waitFor({ timeout: patienceMs });
});

test('with less motion the crowd is shown as it ended, on a phone half of it', { timeout: longMs }, async () => {
  const { crowd, ones } = await openTraining({ reducedMotion: 'reduce', viewport: { width: 360, height: 780 } });
  await expect.poll(() => ones.count(), { timeout: patienceMs }).toBe(16);
  await expect.poll(() => marks(crowd).count(), { timeout: patienceMs }).toBe(16);
});

test('the crowd at rest is painted again in another theme', { timeout: longMs }, async () => {
  const { page, crowd } = await openTraining({ reducedMotion: 'reduce' });
  await untilStatus(page, /^Finished/);
  await expect.poll(() => marks(crowd).count(), { timeout: patienceMs }).toBe(32);
  const ground = () =>
    crowd
      .locator('canvas')
      .first()
      .evaluate((canvas) => [...(canvas as HTMLCanvasElement).getContext('2d')!.getImageData(0, 0, 1, 1).data].join());
  const light = await ground();
  await page.emulateMedia({ colorScheme: 'dark' });
  await expect.poll(ground).not.toBe(light);
  await page.getByRole('radio', { name: 'Light theme' }).check({ force: true });
  await expect.poll(ground).toBe(light);
});
