/** Threads of the CPU device in Node. */
import { availableParallelism, freemem, totalmem } from 'node:os';
import { Worker } from 'node:worker_threads';
import { maxThreads, type ThreadPool } from '../device/wasm/wasm-device';

/** As many threads as there are cores, or as `AGENTLET_THREADS` says. */
export function nodeThreads(): ThreadPool {
  const asked = process.env.AGENTLET_THREADS;
  const threads = asked === undefined ? Math.min(availableParallelism(), maxThreads) : Number(asked);
  if (!Number.isInteger(threads) || threads < 1 || threads > 64)
    throw new Error(`AGENTLET_THREADS cannot be "${asked}"; it takes whole numbers from 1 to 64.`);
  return {
    count: threads - 1,
    async start(start) {
      const worker = new Worker(new URL('./cpu-thread.mjs', import.meta.url), { workerData: start });
      await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
      worker.unref();
    },
  };
}

/** Bytes of memory that are free; other systems than Linux count caches as used, so there it is all memory. */
export function nodeMemoryBytes(): number {
  return process.platform === 'linux' ? freemem() : totalmem();
}
