/** Threads of the CPU device in Node. */
import { availableParallelism, freemem, totalmem } from 'node:os';
import { Worker } from 'node:worker_threads';
import { maxThreads, type ThreadPool } from '../device/wasm/wasm-device';
import { plainText } from '../lib/plain-text';

/** As many threads as there are cores, or as `AGENTLET_THREADS` says, or as Slurm gave the task. Bits do not differ. */
export function nodeThreads(): ThreadPool {
  const threads = threadsOf(process.env) ?? Math.min(availableParallelism(), maxThreads);
  return {
    count: threads - 1,
    async start(start) {
      const worker = new Worker(new URL('./cpu-thread.mjs', import.meta.url), { workerData: start });
      await new Promise((resolve, reject) => worker.once('message', resolve).once('error', reject));
      worker.unref();
    },
  };
}

/**
 * What `AGENTLET_THREADS` says, else what Slurm gave a task: one processor unless it was asked for more; else null.
 * @throws a sentence
 */
export function threadsOf(env: Readonly<Record<string, string | undefined>>): number | null {
  const { AGENTLET_THREADS: asked, SLURM_JOB_ID: job, SLURM_CPUS_PER_TASK: given = '1' } = env;
  if (asked !== undefined) return wholeNumber('AGENTLET_THREADS', asked, 64);
  return job === undefined ? null : Math.min(wholeNumber('SLURM_CPUS_PER_TASK', given, 4096), maxThreads);
}

function wholeNumber(name: string, text: string, most: number): number {
  const number = Number(text);
  if (Number.isInteger(number) && number >= 1 && number <= most) return number;
  throw new Error(`${name} cannot be "${plainText(text, 32)}"; it takes whole numbers from 1 to ${most}.`);
}

/** Bytes of memory that are free; other systems than Linux count caches as used, so there it is all memory. */
export function nodeMemoryBytes(): number {
  return process.platform === 'linux' ? freemem() : totalmem();
}
