/**
 * Breaks a running page as the world would: the GPU process, the device, the trainer worker, the storage. Asserts
 * nothing.
 */
import type { Browser, Page, Worker } from '@playwright/test';

/** What the trainer worker's own code made on its device, caught for a test. */
interface Caught {
  device: GPUDevice | null;
  readonly buffers: Map<string, GPUBuffer>;
}

type Broken = typeof globalThis & { caught: Caught };

export function trainerWorker(page: Page): Worker {
  // One that was ended may be listed for a moment beside the one that took its place.
  const worker = page.workers().findLast((each) => /#trainer$/.test(each.url()));
  if (!worker) throw new Error(`The page has no trainer worker; it has ${page.workers().map((each) => each.url())}.`);
  return worker;
}

/** Workers of an opaque origin. */
export const sandboxWorkers = (page: Page): Worker[] =>
  page.workers().filter((worker) => worker.url().startsWith('blob:null/'));

/** From now on the trainer's device and its newest buffer of each label can be had in the worker. */
export async function catchDevice(page: Page): Promise<Worker> {
  const worker = trainerWorker(page);
  await catchDeviceIn(worker);
  return worker;
}

export const catchDeviceIn = (worker: Worker): Promise<void> =>
  worker.evaluate(() => {
    const caught: Caught = { device: null, buffers: new Map() };
    (globalThis as Broken).caught = caught;
    const { createBuffer } = GPUDevice.prototype;
    GPUDevice.prototype.createBuffer = function (descriptor) {
      const buffer = createBuffer.call(this, descriptor);
      caught.device = this;
      caught.buffers.set(descriptor.label ?? '', buffer);
      return buffer;
    };
  });

export const destroyDevice = (worker: Worker): Promise<void> =>
  worker.evaluate(() => (globalThis as Broken).caught.device!.destroy());

/** An error that no scope expects: a buffer with a usage that is not allowed. */
export const makeInvalidBuffer = (worker: Worker): Promise<void> =>
  worker.evaluate(() => {
    const usage = GPUBufferUsage.MAP_READ | GPUBufferUsage.STORAGE;
    (globalThis as Broken).caught.device!.createBuffer({ label: 'made by a test', size: 16, usage });
  });

/** Overwrites four numbers in the middle of the newest buffer of this label. */
export const writeNaN = (worker: Worker, label: string): Promise<void> =>
  worker.evaluate((name) => {
    const { device, buffers } = (globalThis as Broken).caught;
    const buffer = buffers.get(name);
    if (!device || !buffer) throw new Error(`There is no buffer ${name}; there are ${[...buffers.keys()].join(', ')}.`);
    device.queue.writeBuffer(buffer, 16 * Math.floor(buffer.size / 32), new Float32Array([NaN, NaN, NaN, NaN]));
  }, label);

/** The next so many buffers of at least `sizeBytes` cannot be had, as when the browser has no memory left for them. */
export const failBuffers = (page: Page, count: number, sizeBytes: number): Promise<void> =>
  trainerWorker(page).evaluate(
    ([failures, least]) => {
      let left = failures;
      const { createBuffer } = GPUDevice.prototype;
      const { popErrorScope } = GPUDevice.prototype;
      let failed = false;
      GPUDevice.prototype.createBuffer = function (descriptor) {
        if (left > 0 && descriptor.size >= least) {
          left -= 1;
          failed = true;
        }
        return createBuffer.call(this, descriptor);
      };
      // The innermost scope is the one for memory: it is popped first.
      GPUDevice.prototype.popErrorScope = async function () {
        const error = await popErrorScope.call(this);
        if (!failed) return error;
        failed = false;
        return new GPUOutOfMemoryError('no memory, said by a test');
      };
    },
    [count, sizeBytes] as const,
  );

/** The next shader whose label matches does not compile, as after a faulty driver update. */
export const breakShader = (page: Page, label: string): Promise<void> =>
  trainerWorker(page).evaluate((name) => {
    const { createShaderModule } = GPUDevice.prototype;
    let broken = false;
    GPUDevice.prototype.createShaderModule = function (descriptor) {
      const breaks = !broken && descriptor.label === name;
      broken ||= breaks;
      return createShaderModule.call(
        this,
        breaks ? { ...descriptor, code: `${descriptor.code}\nthis is no WGSL` } : descriptor,
      );
    };
  }, label);

/** The page's process dies, as when its memory is exhausted. */
export async function crashPage(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  const crashed = page.waitForEvent('crash');
  // A process that died does not answer.
  void session.send('Page.crash').catch(() => undefined);
  await crashed;
}

/** An exception that nobody catches, in the trainer worker. */
export const throwInWorker = (page: Page, sentence: string): Promise<void> =>
  trainerWorker(page).evaluate((message) => {
    setTimeout(() => {
      throw new Error(message);
    });
  }, sentence);

/** The trainer worker never comes back to its event loop. */
export const blockWorker = (page: Page): Promise<void> =>
  trainerWorker(page).evaluate(() => {
    setTimeout(() => {
      for (;;);
    });
  });

/**
 * Kills the browser's GPU process, as `chrome://gpucrash` does. After a few crashes a browser gives no GPU any more, so
 * it must serve no other test.
 */
export async function crashGpuProcess(browser: Browser): Promise<void> {
  const session = await browser.newBrowserCDPSession();
  // The answer may be lost with the process.
  await Promise.race([session.send('Browser.crashGpuProcess'), new Promise((resolve) => setTimeout(resolve, 500))]);
  await session.detach();
}

/** The origin may store so many bytes and no more; null lifts it. */
export async function limitStorage(page: Page, quotaBytes: number | null): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.overrideQuotaForOrigin', {
    origin: new URL(page.url()).origin,
    ...(quotaBytes !== null && { quotaSize: quotaBytes }),
  });
}

/** IndexedDB that cannot be opened; init scripts do not reach workers, so the worker's script begins with it. */
export async function forbidStorage(page: Page): Promise<void> {
  await page.route(/trainer\.worker[^/]*\.js$/, async (route) => {
    const response = await route.fetch();
    const refuse =
      'IDBFactory.prototype.open = () => { throw new DOMException("forbidden by a test", "SecurityError"); };';
    await route.fulfill({ response, body: `${refuse}\n${await response.text()}` });
  });
}

/** What "clear site data" does, while the page is open. */
export async function clearSiteData(page: Page): Promise<void> {
  const session = await page.context().newCDPSession(page);
  await session.send('Storage.clearDataForOrigin', { origin: new URL(page.url()).origin, storageTypes: 'all' });
}

/** Shows or hides the page as far as its own code can tell: headless browsers never hide one. */
export const setVisible = (page: Page, visible: boolean): Promise<void> =>
  page.evaluate(show, visible ? 'visible' : 'hidden');

/** What `setVisible` does in the page. */
export function show(state: string): void {
  Object.defineProperty(document, 'visibilityState', { configurable: true, get: () => state });
  document.dispatchEvent(new Event('visibilitychange'));
}
