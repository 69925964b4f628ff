/** Sandbox workers for Node: threads that run the library's file, or a bundle that is made here from the sources. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { SandboxWorker } from '../sandbox/worker-pool';
import { nodeEndpoint } from './node-endpoint';
import { fileOfLibrary } from './place';

export interface SandboxThreads {
  /** A thread that does not keep the process alive. */
  start(): Worker;
  /** Deletes a bundle that was made for it; no thread can be started any more. */
  remove(): Promise<void>;
}

export async function openSandboxThreads(): Promise<SandboxThreads> {
  const built = fileOfLibrary('sandbox-thread.mjs');
  if (built) return { start: () => startThread(built), remove: async () => undefined };
  const { build } = await import('vite');
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
  return { start: () => startThread(join(outDir, 'thread.mjs')), remove: () => rm(outDir, { recursive: true }) };
}

function startThread(file: string | URL): Worker {
  const thread = new Worker(file);
  thread.unref();
  return thread;
}

/** A thread as a pool takes it. */
export function threadWorker(thread: Worker): SandboxWorker {
  return Object.assign(nodeEndpoint(thread), { terminate: () => void thread.terminate() });
}
