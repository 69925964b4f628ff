/**
 * How long a visitor waits: from the press of Train to the first point of the live curve, in the built page in
 * headless Chromium, on the device that the page chooses there. Each preset gets a browser of its own, so that none
 * finds what another has compiled.
 */
import type { Browser, Page } from '@playwright/test';
import type { Preset } from '../../config/presets';
import { withBuiltPage } from './built-page';

/** What the status line said, and for how long. */
export interface WaitPart {
  readonly status: string;
  readonly ms: number;
}

export interface FirstPoint {
  readonly preset: string;
  /** From the press of Train to the first iteration in the charts. */
  readonly ms: number;
  /** The same time by what the status line said meanwhile, its numbers left out. */
  readonly parts: readonly WaitPart[];
}

/** Longer than any preset takes on a machine that has other work. */
const runTimeoutMs = 600_000;

/** @param launch starts a browser */
export const benchFirstPoint = (
  root: string,
  launch: () => Promise<Browser>,
  presets: readonly Preset[],
  onProgress: (what: string) => void,
): Promise<FirstPoint[]> =>
  withBuiltPage(root, async (url) => {
    const points: FirstPoint[] = [];
    for (const { name } of presets) {
      onProgress(`the first point of ${name}`);
      const browser = await launch();
      try {
        points.push({ preset: name, ...(await waitForFirstPoint(await browser.newPage(), url, name)) });
      } finally {
        await browser.close();
      }
    }
    return points;
  });

/** Opens the page, chooses the preset, presses Train and waits, all but the opening in the page and by its clock. */
async function waitForFirstPoint(page: Page, url: string, preset: string): Promise<Omit<FirstPoint, 'preset'>> {
  await page.goto(`${url}#/lab`);
  await page.getByLabel('Preset', { exact: true }).selectOption(preset);
  await page.locator('button[aria-disabled=false]', { hasText: /^\s*Train\s*$/ }).waitFor({ timeout: runTimeoutMs });
  // A string, because functions that were compiled for Node ask for helpers that the page lacks.
  return page.evaluate<Omit<FirstPoint, 'preset'>>(`new Promise((resolve, reject) => {
    const status = document.querySelector('[role=status]');
    const train = [...document.querySelectorAll('button')].find((button) => button.textContent.trim() === 'Train');
    const start = performance.now();
    const parts = [];
    let since = start;
    let now = null;
    const look = () => {
      const text = status.textContent;
      const failure = document.querySelector('[role=alert]');
      const begun = /iteration ([1-9]\\d*)\\//.test(text);
      const next = text.split(' · ')[0].replaceAll(/[\\d/]+/g, '…');
      const time = performance.now();
      if (begun || next !== now) {
        if (now !== null) parts.push({ status: now, ms: time - since });
        [now, since] = [next, time];
      }
      if (begun) finish(() => resolve({ ms: time - start, parts }));
      else if (failure) finish(() => reject(new Error(failure.textContent.trim())));
    };
    const finish = (settle) => (observer.disconnect(), clearTimeout(timer), settle());
    const timer = setTimeout(
      () => finish(() => reject(new Error('No point for ${preset}; the status reads “' + status.textContent + '”.'))),
      ${runTimeoutMs},
    );
    const observer = new MutationObserver(look);
    observer.observe(document.body, { characterData: true, childList: true, subtree: true });
    train.click();
    look();
  })`);
}
