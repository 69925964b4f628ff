/** Opens the browser's sandbox: workers in the page's sandbox frame. The engine is fetched once. */
import engineUrl from 'virtual:metered-quickjs';
import { sdkSource } from '../environments/built-in';
import { WorkerPool, type SandboxWorker } from '../sandbox/worker-pool';
import type { SandboxFrame } from './protocol';
import type { WorkerFault } from './sandbox.worker';

let engine: Promise<ArrayBuffer> | null = null;

/** Two cores less than the machine has, 2 to 4. */
export const workersForRun = (): number => Math.min(4, Math.max(2, (navigator.hardwareConcurrency ?? 4) - 2));

/** A pool without an environment: `load` one. Rejects with a sentence; the next call tries again. */
export async function openSandbox(frame: SandboxFrame, size: number): Promise<WorkerPool> {
  engine ??= fetchEngine().catch((error: unknown) => {
    engine = null;
    throw error;
  });
  return new WorkerPool({ binary: await engine, sdk: sdkSource, createWorker: () => spawn(frame), size });
}

/** The worker's port with the `terminate` and the `error` event of a worker. */
async function spawn(frame: SandboxFrame): Promise<SandboxWorker> {
  const { id, port } = await frame.spawn();
  port.addEventListener('message', ({ data }: MessageEvent<Partial<WorkerFault> | null>) => {
    if (data?.fault !== undefined) port.dispatchEvent(new ErrorEvent('error', { message: data.fault }));
  });
  const terminate = () => {
    port.close();
    void frame.terminate(id);
  };
  return Object.assign(port, { terminate });
}

async function fetchEngine(): Promise<ArrayBuffer> {
  const response = await fetch(engineUrl);
  if (!response.ok)
    throw new Error(`The sandbox engine could not be fetched (HTTP ${response.status}). Reload the page to try again.`);
  return response.arrayBuffer();
}
