/** How long the page stands still. */
import type { Page } from '@playwright/test';

/** From now on measures the page's frames. @returns the longest since it was last asked, in ms */
export async function recordFrames(page: Page): Promise<() => Promise<number>> {
  const record = await page.evaluateHandle(() => {
    const frames = { longestMs: 0 };
    let lastMs = performance.now();
    const frame = (): void => {
      const nowMs = performance.now();
      frames.longestMs = Math.max(frames.longestMs, nowMs - lastMs);
      lastMs = nowMs;
      requestAnimationFrame(frame);
    };
    requestAnimationFrame(frame);
    return frames;
  });
  return () =>
    record.evaluate((frames) => {
      const { longestMs } = frames;
      frames.longestMs = 0;
      return longestMs;
    });
}
