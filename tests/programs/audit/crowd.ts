/**
 * What it costs the page to draw the crowd of rollouts while a run trains on the CPU beside it. Work is the processor
 * time of the page's thread, from a trace of the browser: a trainer on the same cores keeps the page waiting, but that
 * is no work of the page's.
 */
import { atLeast, atMost, quantile, unlimited, type Row } from './row';
import { endless, train, type Visits } from './visit';

const settleMs = 3000;
const watchMs = 30_000;
/** Marks a frame in which scenes were painted. */
const paintedMark = 'crowd painted';

interface Watch {
  scenes: number;
  readonly frameMs: number[];
}
type Watched = typeof globalThis & { crowd: Watch };

/** An event of a trace; times in µs, `tdur` of the processor. */
interface TraceEvent {
  readonly name: string;
  readonly pid: number;
  readonly tid: number;
  readonly ts: number;
  readonly dur?: number;
  readonly tdur?: number;
}

export async function crowd(visits: Visits): Promise<Row[]> {
  const page = await visits.open(endless, { before: (empty) => empty.addInitScript(watch, paintedMark) });
  const browser = page.context().browser()!;
  await train(page, /^RL iteration/);
  await page.waitForTimeout(settleMs);
  await page.evaluate(() => Object.assign((globalThis as Watched).crowd, { scenes: 0, frameMs: [] }));
  await browser.startTracing(page, { categories: ['devtools.timeline', 'blink.user_timing'] });
  await page.waitForTimeout(watchMs);
  const { traceEvents } = JSON.parse((await browser.stopTracing()).toString()) as { traceEvents: TraceEvent[] };
  const { scenes, frameMs } = await page.evaluate(() => (globalThis as Watched).crowd);
  await page.context().close();
  const workMs = workOfMarkedFrames(traceEvents);
  return [
    unlimited('scenes of the crowd while it trains', scenes / (watchMs / 1000), ' a second'),
    atLeast('frames in which scenes were painted', workMs.length, 20),
    atMost('the page’s work of such a frame, p50', quantile(workMs, 0.5), 2, ' ms'),
    atMost('the page’s work of such a frame, p95', quantile(workMs, 0.95), 2, ' ms'),
    atMost('from frame to frame while it trains, p95', quantile(frameMs, 0.95), 25, ' ms'),
  ];
}

/** Processor time in ms of the callbacks of each marked frame, with the microtasks that follow them. */
function workOfMarkedFrames(events: readonly TraceEvent[]): number[] {
  const marks = events.filter(({ name }) => name === paintedMark);
  const holds = ({ tid, pid, ts, dur = 0 }: TraceEvent) =>
    marks.some((mark) => mark.pid === pid && mark.tid === tid && mark.ts >= ts && mark.ts <= ts + dur);
  const callbacks = events.filter(({ name }) => name === 'FireAnimationFrame');
  return callbacks.filter(holds).map(({ tdur = NaN }) => tdur / 1000);
}

/** In the page: a scene begins with its ground. */
function watch(paintedMark: string): void {
  const seen: Watch = { scenes: 0, frameMs: [] };
  (globalThis as Watched).crowd = seen;
  let painted = 0;
  const { fillRect } = CanvasRenderingContext2D.prototype;
  CanvasRenderingContext2D.prototype.fillRect = function (...box) {
    if (this.canvas.closest('.crowd')) painted++;
    fillRect.apply(this, box);
  };
  const request = globalThis.requestAnimationFrame.bind(globalThis);
  let lastMs = 0;
  const tick = (nowMs: number) => {
    if (lastMs > 0) seen.frameMs.push(nowMs - lastMs);
    lastMs = nowMs;
    request(tick);
  };
  request(tick);
  globalThis.requestAnimationFrame = (callback) =>
    request((nowMs) => {
      painted = 0;
      callback(nowMs);
      if (painted === 0) return;
      seen.scenes += painted;
      performance.mark(paintedMark);
    });
}
