/** Opens the browser's sandbox: compiles the engine once and gives it to a pool of workers. Node opens its own. */
import engineUrl from 'quickjs-wasi/quickjs.wasm?url';
import { sdkSource } from '../environments/built-in';
import { WorkerPool } from '../sandbox/worker-pool';

/** A pool without an environment yet: `load` one. Throws a sentence if the engine cannot be fetched. */
export async function openSandbox(): Promise<WorkerPool> {
  const response = await fetch(engineUrl);
  if (!response.ok) throw new Error(`The sandbox engine could not be fetched (HTTP ${response.status}). Reload the page to try again.`);
  const binary = await WebAssembly.compile(await response.arrayBuffer());
  const createWorker = () => new Worker(new URL('./sandbox.worker.ts', import.meta.url), { type: 'module', name: 'sandbox' });
  const spareCores = (navigator.hardwareConcurrency ?? 4) - 2;
  return new WorkerPool({ binary, sdk: sdkSource, createWorker, size: Math.min(4, Math.max(2, spareCores)) });
}
