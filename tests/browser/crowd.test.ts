/** While a run trains, rollouts of its newest iteration play side by side, and each opens in the reader. */
import { expect, test } from 'vitest';
import { expectAccessible } from '../helpers/browser';
import { marks, openCrowd } from '../helpers/crowd';
import { longMs, patienceMs, untilStatus } from '../helpers/lab';

test('each of the crowd says how it ended, and is read when it is pressed', { timeout: longMs }, async () => {
  const { page, crowd, ones } = await openCrowd();
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
  // Whom it shows may change until it shows the last iteration.
  await crowd.getByText(/^of iteration 40,/).waitFor({ timeout: patienceMs });
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
