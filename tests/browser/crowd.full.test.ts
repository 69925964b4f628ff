/** The crowd for people who asked for less motion, on a phone, and in another theme. */
import { expect, test } from 'vitest';
import { marks, openCrowd } from '../helpers/crowd';
import { longMs, openMenu, patienceMs, untilStatus } from '../helpers/lab';

test('with less motion the crowd is shown as it ended, on a phone half of it', { timeout: longMs }, async () => {
  const { crowd, ones } = await openCrowd({ reducedMotion: 'reduce', viewport: { width: 360, height: 780 } });
  await expect.poll(() => ones.count(), { timeout: patienceMs }).toBe(16);
  await expect.poll(() => marks(crowd).count(), { timeout: patienceMs }).toBe(16);
});

test('the crowd at rest is painted again in another theme', { timeout: longMs }, async () => {
  const { page, crowd } = await openCrowd({ reducedMotion: 'reduce' });
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
  await openMenu(page);
  await page.getByRole('radio', { name: 'Light theme' }).check({ force: true });
  await expect.poll(ground).toBe(light);
});
