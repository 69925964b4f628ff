/** Opens the browser's sandbox: compiles the engine once and gives it to a pool of workers. Node opens its own. */
import engineUrl from 'quickjs-wasi/quickjs.wasm?url';
import { sdkSource } from '../environments/built-in';
import { WorkerPool } from '../sandbox/worker-pool';

let engine: Promise<WebAssembly.Module> | null = null;

/** The sandbox engine, fetched and compiled once. A failure is a sentence and is forgotten, so that the next try is a new one. */
export function sandboxEngine(): Promise<WebAssembly.Module> {
  engine ??= compileEngine().catch((error: unknown) => {
    engine = null;
    throw error;
  });
  return engine;
}

async function compileEngine(): Promise<WebAssembly.Module> {
  const response = await fetch(engineUrl);
  if (!response.ok) throw new Error(`The sandbox engine could not be fetched (HTTP ${response.status}). Reload the page to try again.`);
  return WebAssembly.compile(await response.arrayBuffer());
}

/** A pool without an environment yet: `load` one. */
export async function openSandbox(): Promise<WorkerPool> {
  const binary = await sandboxEngine();
  const createWorker = () => new Worker(new URL('./sandbox.worker.ts', import.meta.url), { type: 'module', name: 'sandbox' });
  const spareCores = (navigator.hardwareConcurrency ?? 4) - 2;
  return new WorkerPool({ binary, sdk: sdkSource, createWorker, size: Math.min(4, Math.max(2, spareCores)) });
}
