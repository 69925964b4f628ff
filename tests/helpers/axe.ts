/** What axe finds wrong with the page in its present state. */
import type { Page } from '@playwright/test';
import axe from 'axe-core';

/**
 * Only what axe finds wrong leaves the page; a whole report takes five times as long. The sandbox frame is empty. The
 * size of targets, which is of WCAG 2.2 AA, axe checks only when it is asked to.
 */
export async function violationsOf(page: Page): Promise<axe.Result[]> {
  await page.evaluate(forbidTransitions);
  await page.evaluate(endAnimations);
  if (!(await page.evaluate(() => 'axe' in globalThis))) await page.evaluate(axe.source);
  return page.evaluate(async () => {
    const { run } = (globalThis as unknown as { axe: typeof axe }).axe;
    const rules = { 'target-size': { enabled: true } };
    const { violations } = await run(document, { resultTypes: ['violations'], iframes: false, preload: false, rules });
    document.adoptedStyleSheets.pop();
    return violations;
  });
}

/** A button that is enabled while axe looks has its new colour at once: axe would see what is between. */
function forbidTransitions(): void {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('*, ::before, ::after { transition: none !important; }');
  document.adoptedStyleSheets.push(sheet);
}

/** Ends what moves in the page, and looks again until all is still: one animation may begin another. */
async function endAnimations(): Promise<void> {
  const moving = () => document.getAnimations().filter((each) => each.effect?.getTiming().iterations !== Infinity);
  for (let still = 0; still < 2; still++) {
    for (const each of moving()) {
      each.finish();
      still = 0;
    }
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
