/** What a soak measures of the page and its trainer worker: heaps, GPU buffers alive, and whether every saved number is finite. */
import type { Page } from '@playwright/test';
import { trainerWorker } from '../helpers/faults';

export interface Heap {
  readonly pageBytes: number;
  readonly workerBytes: number;
}

type WithHeap = typeof globalThis & { gc?: () => void };

/** Bytes of JavaScript in use after a collection. Needs Chromium's `--js-flags=--expose-gc`. */
export async function heap(page: Page): Promise<Heap> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  await session.detach();
  return { pageBytes: usedSize, workerBytes: await workerHeap(page) };
}

function workerHeap(page: Page): Promise<number> {
  return trainerWorker(page).evaluate(async () => {
    // Finalizers run between two collections.
    for (let round = 0; round < 2; round++) {
      (globalThis as WithHeap).gc?.();
      await new Promise((resolve) => setTimeout(resolve));
    }
    return (performance as Performance & { memory: { usedJSHeapSize: number } }).memory.usedJSHeapSize;
  });
}

/** Numbers in the newest saved states that are NaN or infinite, and how many there are in all. */
export function savedNumbers(page: Page): Promise<{ readonly numbers: number; readonly broken: number }> {
  return page.evaluate(async () => {
    const settled = <T>(request: IDBRequest<T>) =>
      new Promise<T>((resolve, reject) => {
        request.onsuccess = () => resolve(request.result);
        request.onerror = () => reject(new Error(String(request.error)));
      });
    const database = await settled(indexedDB.open('agentlet runs'));
    const entries = database.transaction('entries').objectStore('entries');
    let numbers = 0;
    let broken = 0;
    for (const key of await settled(entries.getAllKeys())) {
      if (!String(key).startsWith('state ')) continue;
      const { checkpoint } = (await settled(entries.get(key))) as { checkpoint: Uint8Array };
      // Safetensors: 8 bytes of length, that many of JSON, and then nothing but float32.
      const head = 8 + Number(new DataView(checkpoint.buffer, checkpoint.byteOffset).getBigUint64(0, true));
      for (const value of new Float32Array(checkpoint.slice(head).buffer)) {
        numbers++;
        if (!Number.isFinite(value)) broken++;
      }
    }
    database.close();
    return { numbers, broken };
  });
}
