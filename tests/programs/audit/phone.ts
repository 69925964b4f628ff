/** A phone without WebGPU: every preset replays its recorded run, and no page is wider than the window. */
import type { Page } from '@playwright/test';
import { presets } from '../../../src/config/presets';
import { atMost, mustBe, type Row } from './row';
import { narrow, patienceMs, untilReady, type Visits } from './visit';

const pages = ['#/', '#/lab', '#/runs', '#/learn', '#/learn/1', '#/learn/teachers'];

export async function phone(visits: Visits): Promise<Row[]> {
  const page = await visits.open('#/lab', { withoutGpu: true, viewport: narrow, reducedMotion: 'reduce' });
  await untilReady(page);
  let replayed = 0;
  for (const { name } of presets) replayed += Number(await replays(page, name));
  const wide: string[] = [];
  for (const hash of pages) if ((await overflowPx(page, hash)) > 0) wide.push(hash);
  await page.context().close();
  const all = `${presets.length} of ${presets.length}`;
  return [
    mustBe('presets that replay their recording without WebGPU', `${replayed} of ${presets.length}`, all),
    atMost(`pages that scroll sideways at ${narrow.width}`, wide.length, 0),
  ];
}

/** Its first and last step have a success to read, and not the same step. */
async function replays(page: Page, preset: string): Promise<boolean> {
  await page.evaluate((name) => (location.hash = `/lab?v=1&preset=${name}`), preset);
  await page.waitForFunction((name) => document.querySelector<HTMLSelectElement>('#preset')?.value === name, preset, {
    timeout: patienceMs,
  });
  const replay = page.getByRole('button', { name: 'Replay again', exact: true });
  await replay.waitFor({ timeout: patienceMs });
  const success = page.getByRole('slider', { name: /^Success at iteration/ });
  const spoken: (string | null)[] = [];
  for (const key of ['Home', 'End']) {
    await success.press(key);
    spoken.push(await success.getAttribute('aria-valuetext'));
  }
  await page.keyboard.press('Escape');
  return spoken.every((words) => /^iteration \d+: .*\d\s%/.test(words ?? '')) && spoken[0] !== spoken[1];
}

async function overflowPx(page: Page, hash: string): Promise<number> {
  await page.evaluate((to) => (location.hash = to.slice(1)), hash);
  await page.waitForTimeout(1000);
  return page.evaluate(() => document.documentElement.scrollWidth - document.documentElement.clientWidth);
}
