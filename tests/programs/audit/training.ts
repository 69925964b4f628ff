/** How the page feels and what it holds while a run trains on the CPU beside it. */
import type { Page } from '@playwright/test';
import { heap } from '../soak/gauges';
import { atMost, quantile, type Row } from './row';
import { endless, patienceMs, train, untilStatus, type Visits } from './visit';

/** The first seconds of a run compile and measure. */
const settleMs = 3000;
const watchMs = 60_000;
/** Long before, this run has made as many rollouts as the page keeps: from here on the heap should stand still. */
const rolloutsAreFull = /iteration ([5-9]\d\d|\d{4,})\//;
/** Between two keys or clicks of the person that watches. */
const pressEveryMs = 1000;

interface Watch {
  readonly longTasksMs: number[];
  /** By interaction: the longest delay of its events. */
  readonly delaysMs: Map<number, number>;
  shift: number;
}
type Watched = typeof globalThis & { watch: Watch };

export async function training(visits: Visits, heapMinutes: number): Promise<Row[]> {
  const page = await visits.open(endless);
  await train(page, /^RL iteration/);
  await page.waitForTimeout(settleMs);
  await page.evaluate(watch);
  await interact(page, watchMs);
  const { longTasksMs, delaysMs, shift } = await page.evaluate(() => {
    const { delaysMs, ...others } = (globalThis as Watched).watch;
    return { ...others, delaysMs: [...delaysMs.values()] };
  });
  await untilStatus(page, rolloutsAreFull, 10 * patienceMs);
  const first = (await heap(page)).pageBytes;
  await page.waitForTimeout(heapMinutes * 60_000);
  const last = (await heap(page)).pageBytes;
  await page.context().close();
  return [
    atMost('tasks above 50 ms in 60 s of training', longTasksMs.length, 0),
    atMost('the longest task in 60 s of training', Math.max(0, ...longTasksMs), 50, ' ms'),
    atMost(`input delay (p98 of ${delaysMs.length})`, quantile(delaysMs, 0.98), 200, ' ms'),
    atMost('layout shift while training', shift, 0.02),
    atMost(`heap growth over ${heapMinutes} min of training`, 100 * (last / first - 1), 10, ' %'),
    atMost('heap while training', last / 1e6, 60, ' MB'),
  ];
}

/** In the page: counts until it is closed. */
function watch(): void {
  const seen: Watch = { longTasksMs: [], delaysMs: new Map(), shift: 0 };
  (globalThis as Watched).watch = seen;
  const observe = (options: PerformanceObserverInit, take: (entry: PerformanceEntry) => void) =>
    new PerformanceObserver((list) => list.getEntries().forEach(take)).observe(options);
  observe({ type: 'longtask' }, ({ duration }) => void seen.longTasksMs.push(duration));
  observe({ type: 'event', durationThreshold: 16 } as PerformanceObserverInit, (entry) => {
    const { interactionId, duration } = entry as PerformanceEntry & { readonly interactionId: number };
    if (interactionId > 0) seen.delaysMs.set(interactionId, Math.max(duration, seen.delaysMs.get(interactionId) ?? 0));
  });
  observe({ type: 'layout-shift' }, (entry) => {
    const { value, hadRecentInput } = entry as PerformanceEntry & { value: number; hadRecentInput: boolean };
    if (!hadRecentInput) seen.shift += value;
  });
}

/** Moves the crosshair, reads the next rollout and zooms, as somebody does who watches. */
async function interact(page: Page, forMs: number): Promise<void> {
  const end = performance.now() + forMs;
  const success = page.getByRole('slider', { name: /^Success at iteration/ });
  await page.getByText('More charts').click();
  const acts = [
    () => success.press('ArrowLeft'),
    () => page.keyboard.press('j'),
    () => page.getByRole('button', { name: 'Zoom in', exact: true }).click(),
    () => page.getByRole('button', { name: 'Fit', exact: true }).click(),
  ];
  for (let count = 0; performance.now() < end; count++) {
    await acts[count % acts.length]().catch(() => undefined);
    await page.waitForTimeout(pressEveryMs);
  }
}
