/** What a visit costs before anything is pressed: bytes, the first curve, layout shift, and requests to other sites. */
import { gzipSync } from 'node:zlib';
import type { ViewportSize } from '@playwright/test';
import { atMost, type Row } from './row';
import { narrow, patienceMs, wide, type Visits } from './visit';

export async function loading(visits: Visits): Promise<Row[]> {
  const rows: Row[] = [];
  for (const hash of ['#/', '#/lab'])
    rows.push(atMost(`first load of ${hash}`, await firstLoadKb(visits, hash), 140, ' kB'));
  rows.push(atMost('recorded curve painted, files in the cache', await firstCurveMs(visits), 1000, ' ms'));
  for (const viewport of [wide, narrow])
    for (const hash of ['#/', '#/lab'])
      rows.push(
        atMost(`layout shift of ${hash} at ${viewport.width}`, await layoutShift(visits, hash, viewport), 0.02),
      );
  return rows;
}

/** Gzip of the page's own HTML, JS and CSS; workers, their frame and what they load begin when the page stands. */
async function firstLoadKb(visits: Visits, hash: string): Promise<number> {
  const bodies: Promise<number>[] = [];
  const page = await visits.open(hash, {
    before: async (empty) => {
      empty.on('response', (response) => {
        const kind = response.request().resourceType();
        if (
          /^(document|script|stylesheet)$/.test(kind) &&
          !/worker|sandbox-frame|cpu-kernels|^blob:/.test(response.url())
        )
          bodies.push(response.body().then((body) => gzipSync(body, { level: 9 }).length));
      });
    },
  });
  await page.waitForLoadState('networkidle');
  const bytes = (await Promise.all(bodies)).reduce((sum, each) => sum + each, 0);
  await page.context().close();
  return bytes / 1000;
}

/** From the navigation until the chart of success says something else than that it has no data. */
async function firstCurveMs(visits: Visits): Promise<number> {
  const page = await visits.open('#/lab');
  const painted = () =>
    page
      .waitForFunction(
        () => {
          const label = document.querySelector('figure[aria-label^="Success"]')?.getAttribute('aria-label');
          return label && !/no data/.test(label) && performance.now();
        },
        undefined,
        { polling: 'raf', timeout: patienceMs },
      )
      .then((handle) => handle.jsonValue() as Promise<number>);
  await painted();
  await page.reload();
  const ms = await painted();
  await page.context().close();
  return ms;
}

async function layoutShift(visits: Visits, hash: string, viewport: ViewportSize): Promise<number> {
  const page = await visits.open(hash, { viewport, before: (empty) => empty.addInitScript(watchShifts) });
  await page.waitForTimeout(8000);
  const shift = await page.evaluate(() => (globalThis as Watched).shift);
  await page.context().close();
  return shift;
}

type Watched = typeof globalThis & { shift: number };

/** Adds up what moved without having been asked to. */
function watchShifts(): void {
  const watched = globalThis as Watched;
  watched.shift = 0;
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[])
      if (!entry.hadRecentInput) watched.shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
}
