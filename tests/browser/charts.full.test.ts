/** Charts in a browser, of numbers that a run of a perfect agent or of a strange environment reports. */
import type { Page } from '@playwright/test';
import { expect, test } from 'vitest';
import { packRecording, unpackRecording, type RecordingFile } from '../../src/share/recording-file';
import { expectAccessibleEverywhere, openPage } from '../helpers/browser';
import { longMs, untilStatus } from '../helpers/lab';

/** Writes down what is written on each chart's canvas. */
function watchTicks(): void {
  const ticks: Record<string, string[]> = ((globalThis as { ticks?: Record<string, string[]> }).ticks = {});
  const proto = CanvasRenderingContext2D.prototype;
  const { fillText } = proto;
  proto.fillText = function (...[words, ...place]) {
    const name = this.canvas.closest('figure')?.querySelector('h3')?.textContent;
    if (name) (ticks[name] ??= []).push(words);
    fillText.call(this, words, ...place);
  };
}

const ticksOf = (page: Page, chart: string) =>
  page.evaluate((name) => (globalThis as unknown as { ticks: Record<string, string[]> }).ticks[name] ?? [], chart);

test.each([1, 0.3, 1e6])(
  '40 equal rewards of %f draw a chart whose axis is wide',
  { timeout: longMs },
  async (reward) => {
    const page = await openPage({
      reducedMotion: 'reduce',
      gpu: 'no adapter',
      before: async (empty) => {
        await empty.addInitScript(watchTicks);
        await empty.route(/recordings\/[\w-]+\.json$/, async (route) => {
          const file = (await (await route.fetch()).json()) as RecordingFile;
          const recording = unpackRecording(file) as { metrics: object[] };
          const metrics = recording.metrics
            .slice(0, 40)
            .map((each) => ({ ...each, rewardMean: reward, rewardStd: 0, entropy: reward }));
          await route.fulfill({ json: packRecording({ ...recording, metrics }) });
        });
      },
    });
    await untilStatus(page, /^Ready/);
    await page.getByText('More charts').click();
    await page.getByRole('figure', { name: /^Reward: Reward began at/ }).waitFor();
    for (const chart of ['Reward', 'Entropy']) {
      await expect.poll(() => ticksOf(page, chart)).not.toEqual([]);
      const ticks = await ticksOf(page, chart);
      expect(ticks.length, `what ${chart} wrote: ${ticks.slice(0, 40).join(' ')}`).toBeLessThan(200);
      expect(new Set(ticks).size).toBeGreaterThan(4);
    }
  },
);

test(
  'a chart fills the window, keeps to a y axis by hand, and Escape gives the focus back',
  { timeout: longMs },
  async () => {
    const page = await openPage({ reducedMotion: 'reduce', gpu: 'no adapter' });
    const enlarge = page.getByRole('button', { name: 'Enlarge Success', exact: true });
    await enlarge.focus();
    await page.keyboard.press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Success', exact: true });
    const plot = dialog.getByRole('slider', { name: 'Success at iteration' });
    await dialog.locator('.u-over').waitFor();
    const small = await page.getByRole('figure', { name: /^Success/ }).boundingBox();
    const large = await plot.boundingBox();
    expect([large!.width > small!.width, large!.height > 1.5 * small!.height]).toEqual([true, true]);
    const drawn = () => plot.locator('canvas').evaluate((canvas: HTMLCanvasElement) => canvas.toDataURL());
    await expect.poll(drawn).not.toBe('data:,');
    const whole = await drawn();
    await dialog.getByLabel('from', { exact: true }).fill('90');
    await expect.poll(drawn).not.toBe(whole);
    await dialog.getByRole('button', { name: 'Automatic', exact: true }).click();
    await expect.poll(drawn).toBe(whole);
    await expectAccessibleEverywhere(page, 'a chart is enlarged');
    await plot.focus();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
    expect(await page.evaluate(() => document.activeElement?.getAttribute('aria-label'))).toBe('Enlarge Success');
  },
);
