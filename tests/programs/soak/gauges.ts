/**
 * What a soak measures of the page and its trainer worker: heaps, and whether every number in the saved states is
 * finite.
 */
import type { CDPSession, Page } from '@playwright/test';

export interface Heap {
  readonly pageBytes: number;
  readonly workerBytes: number;
}

/** Bytes of JavaScript in use after a collection. */
export async function heap(page: Page): Promise<Heap> {
  const session = await page.context().newCDPSession(page);
  await session.send('HeapProfiler.collectGarbage');
  const { usedSize } = await session.send('Runtime.getHeapUsage');
  const workerBytes = await workerHeap(session);
  await session.detach();
  return { pageBytes: usedSize, workerBytes };
}

/** A dedicated worker is no target of its own: it is reached through its page's session, message by message. */
async function workerHeap(session: CDPSession): Promise<number> {
  const attached = new Promise<string>((resolve) => {
    session.on('Target.attachedToTarget', ({ sessionId, targetInfo }) => {
      if (/#trainer$/.test(targetInfo.url)) resolve(sessionId);
    });
  });
  await session.send('Target.setAutoAttach', { autoAttach: true, waitForDebuggerOnStart: false, flatten: false });
  const sessionId = await attached;
  let id = 0;
  const ask = (method: string) =>
    new Promise<{ usedSize: number }>((resolve) => {
      const mine = ++id;
      session.on('Target.receivedMessageFromTarget', ({ message }) => {
        const answer = JSON.parse(message) as { id: number; result: { usedSize: number } };
        if (answer.id === mine) resolve(answer.result);
      });
      void session.send('Target.sendMessageToTarget', { sessionId, message: JSON.stringify({ id: mine, method }) });
    });
  await ask('HeapProfiler.collectGarbage');
  return (await ask('Runtime.getHeapUsage')).usedSize;
}

/** Numbers in all saved states that are NaN or infinite, and how many there are in all. */
export function savedNumbers(page: Page): Promise<{ readonly numbers: number; readonly broken: number }> {
  return page.evaluate(async () => {
    const opening = indexedDB.open('agentlet runs');
    await new Promise((resolve, reject) => Object.assign(opening, { onsuccess: resolve, onerror: reject }));
    const reading = opening.result.transaction('entries').objectStore('entries').getAll();
    await new Promise((resolve, reject) => Object.assign(reading, { onsuccess: resolve, onerror: reject }));
    opening.result.close();
    let numbers = 0;
    let broken = 0;
    for (const { checkpoint } of reading.result as { checkpoint?: Uint8Array }[]) {
      if (!checkpoint) continue;
      // Safetensors: 8 bytes of length, that many of JSON, and then nothing but float32.
      const head = 8 + Number(new DataView(checkpoint.buffer, checkpoint.byteOffset).getBigUint64(0, true));
      for (const value of new Float32Array(checkpoint.slice(head).buffer)) {
        numbers++;
        if (!Number.isFinite(value)) broken++;
      }
    }
    return { numbers, broken };
  });
}
