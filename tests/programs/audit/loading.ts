/** What a visit costs before anything is pressed: bytes, the first curve, layout shift, and requests to other sites. */
import type { Page, ViewportSize } from '@playwright/test';
import { atMost, type Row } from './row';
import { loadedKb, narrow, patienceMs, wide, type Visits } from './visit';

export async function loading(visits: Visits): Promise<Row[]> {
  const rows: Row[] = [];
  // The Lab has the library of its charts, the list and the reader besides.
  for (const [hash, mostKb] of [['#/', 140] as const, ['#/lab', 170] as const])
    rows.push(atMost(`first load of ${hash}, gzip`, await firstLoadKb(visits, hash), mostKb, ' kB'));
  rows.push(atMost('recorded curve painted, files in the cache', await firstCurveMs(visits), 1000, ' ms'));
  rows.push(atMost('recorded curve painted on a phone, first visit', await firstCurveColdMs(visits), 2000, ' ms'));
  for (const viewport of [wide, narrow])
    for (const hash of ['#/', '#/lab'])
      rows.push(
        atMost(`layout shift of ${hash} at ${viewport.width}`, await layoutShift(visits, hash, viewport), 0.02),
      );
  return rows;
}

/** Of the page's own HTML, JS and CSS. */
async function firstLoadKb(visits: Visits, hash: string): Promise<number> {
  const page = await visits.open('about:blank');
  const kb = await loadedKb(page, async () => {
    await page.goto(visits.url + hash);
    await page.waitForLoadState('networkidle');
  });
  await page.context().close();
  return kb;
}

/** What Lighthouse takes for a phone: a processor four times as slow, 1.6 Mbit/s, 150 ms there and back. */
async function likeAPhone(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const [downloadThroughput, uploadThroughput] = [1_638_400 / 8, 768_000 / 8];
  await session.send('Network.enable');
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: 150,
    downloadThroughput,
    uploadThroughput,
  });
  await session.send('Emulation.setCPUThrottlingRate', { rate: 4 });
}

async function firstCurveColdMs(visits: Visits): Promise<number> {
  const page = await visits.open('about:blank', { viewport: narrow });
  await likeAPhone(page);
  await page.goto(`${visits.url}#/lab`);
  const ms = await curvePaintedMs(page);
  await page.context().close();
  return ms;
}

async function firstCurveMs(visits: Visits): Promise<number> {
  const page = await visits.open('#/lab');
  await curvePaintedMs(page);
  await page.reload();
  const ms = await curvePaintedMs(page);
  await page.context().close();
  return ms;
}

/** From the navigation until the chart of success says something else than that it has no data. */
async function curvePaintedMs(page: Page): Promise<number> {
  const handle = await page.waitForFunction(
    () => {
      const label = document.querySelector('figure[aria-label^="Success"]')?.getAttribute('aria-label');
      return label && !/no data/.test(label) && performance.now();
    },
    undefined,
    { polling: 'raf', timeout: patienceMs },
  );
  return handle.jsonValue() as Promise<number>;
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
