/** What it costs the page to draw the crowd of rollouts while a run trains on the CPU beside it. */
import { atLeast, atMost, quantile, unlimited, type Row } from './row';
import { endless, train, type Visits } from './visit';

const settleMs = 3000;
const watchMs = 30_000;

interface Watch {
  scenes: number;
  /** Of the page's thread, in frames in which scenes were painted. */
  readonly workMs: number[];
  readonly frameMs: number[];
}
type Watched = typeof globalThis & { crowd: Watch };

export async function crowd(visits: Visits): Promise<Row[]> {
  const page = await visits.open(endless, { before: (empty) => empty.addInitScript(watch) });
  await train(page, /^RL iteration/);
  await page.waitForTimeout(settleMs);
  await page.evaluate(() => Object.assign((globalThis as Watched).crowd, { scenes: 0 }));
  await page.waitForTimeout(watchMs);
  const { scenes, workMs, frameMs } = await page.evaluate(() => (globalThis as Watched).crowd);
  await page.context().close();
  return [
    unlimited('scenes of the crowd while it trains', scenes / (watchMs / 1000), ' a second'),
    atLeast('frames in which scenes were painted', workMs.length, 20),
    atMost('the page’s work of such a frame, p50', quantile(workMs, 0.5), 2, ' ms'),
    atMost('the page’s work of such a frame, p95', quantile(workMs, 0.95), 2, ' ms'),
    atMost('from frame to frame while it trains, p95', quantile(frameMs, 0.95), 25, ' ms'),
  ];
}

/** In the page: a scene begins with its ground. */
function watch(): void {
  const seen: Watch = { scenes: 0, workMs: [], frameMs: [] };
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
      const beginMs = performance.now();
      callback(nowMs);
      const scenes = painted;
      // The page's elements follow in a microtask.
      queueMicrotask(() => {
        if (scenes === 0) return;
        seen.scenes += scenes;
        seen.workMs.push(performance.now() - beginMs);
      });
    });
}
