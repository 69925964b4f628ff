/** Sandbox workers for Node: one bundle, as the page's build makes it, and threads that run it. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { build } from 'vite';
import type { SandboxWorker } from '../sandbox/worker-pool';
import { nodeEndpoint } from './node-endpoint';

export interface SandboxThreads {
  /** A thread that does not keep the process alive. */
  start(): Worker;
  /** Deletes the bundle; no thread can be started any more. */
  remove(): Promise<void>;
}

export async function bundleSandboxThreads(): Promise<SandboxThreads> {
  const outDir = await mkdtemp(join(tmpdir(), 'agentlet-sandbox-'));
  await build({
    configFile: false,
    logLevel: 'error',
    ssr: { noExternal: true },
    build: {
      ssr: join(import.meta.dirname, 'sandbox-thread.ts'),
      outDir,
      rollupOptions: { output: { entryFileNames: 'thread.mjs' } },
    },
  });
  return {
    start() {
      const thread = new Worker(join(outDir, 'thread.mjs'));
      thread.unref();
      return thread;
    },
    remove: () => rm(outDir, { recursive: true }),
  };
}

/** A thread as a pool takes it. */
export function threadWorker(thread: Worker): SandboxWorker {
  return Object.assign(nodeEndpoint(thread), { terminate: () => void thread.terminate() });
}
