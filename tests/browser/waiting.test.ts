/**
 * The first seconds: what stands still as the page opens, and what moves from the press of Train to the first point.
 */
import { expect, test } from 'vitest';
import { openPage } from '../helpers/browser';
import { longMs, patienceMs, untilReady } from '../helpers/lab';

test.each([
  { width: 1440, height: 900, most: 0.02 },
  { width: 360, height: 780, most: 0.05 },
])('nothing jumps while the page opens, $width px wide', { timeout: longMs }, async ({ width, height, most }) => {
  const page = await openPage({
    viewport: { width, height },
    before: (page) =>
      page.addInitScript(`
        window.shifts = [];
        new PerformanceObserver((list) => {
          for (const entry of list.getEntries())
            window.shifts.push({ value: entry.value, nodes: entry.sources.map(({ node }) => node?.className || node?.nodeName) });
        }).observe({ type: 'layout-shift', buffered: true });
      `),
  });
  await untilReady(page);
  await page.getByRole('button', { name: /^(Stop replay|Replay again)$/ }).waitFor({ timeout: patienceMs });
  await page.waitForTimeout(500);
  const shifts = await page.evaluate<{ value: number; nodes: string[] }[]>('window.shifts');
  const total = shifts.reduce((sum, { value }) => sum + value, 0);
  expect(total, JSON.stringify(shifts)).toBeLessThanOrEqual(most);
});
