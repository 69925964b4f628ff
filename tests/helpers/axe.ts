/** What axe finds wrong with the page in its present state. */
import type { Page } from '@playwright/test';
import axe from 'axe-core';

/**
 * Only what axe finds wrong leaves the page; a whole report takes five times as long. The sandbox frame is empty. The
 * size of targets, which is of WCAG 2.2 AA, axe checks only when it is asked to.
 */
export async function violationsOf(page: Page): Promise<axe.Result[]> {
  await page.evaluate(endTransitions);
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
    const rules = { 'target-size': { enabled: true } };
    return (await run(document, { resultTypes: ['violations'], iframes: false, preload: false, rules })).violations;
  });
}

/**
 * Ends what is on its way from one colour to another, in the page: axe would see what is between. What inherits a
 * colour begins its own transition when the one above it ends, so this looks again until nothing moves.
 */
async function endTransitions(): Promise<void> {
  const moving = () => document.getAnimations().filter((each) => each.effect?.getTiming().iterations !== Infinity);
  for (let still = 0; still < 2; still++) {
    for (const each of moving()) {
      each.finish();
      still = 0;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
