/** Threads of the CPU device in a browser. */
import { maxThreads, type ThreadPool } from '../device/wasm/wasm-device';
import threadUrl from './cpu-thread.worker?worker&url';

interface Policy {
  createScriptURL(url: string): string;
}

/** Of this worker, where its browser and its host's headers ask for one: for the address of the build's own thread. */
const { trustedTypes } = globalThis as { trustedTypes?: { createPolicy(name: string, rules: Policy): Policy } };
const asItIs: Policy = { createScriptURL: (url) => url };
const trusted = trustedTypes?.createPolicy('app', asItIs) ?? asItIs;

/** As many threads as there are cores; undefined where the page is not isolated, so that memory cannot be shared. */
export function browserThreads(): ThreadPool | undefined {
  if (!crossOriginIsolated) return undefined;
  return {
    count: Math.min(navigator.hardwareConcurrency, maxThreads) - 1,
    start: (start) =>
      new Promise((resolve, reject) => {
        const worker = new Worker(trusted.createScriptURL(threadUrl), { type: 'module' });
        worker.onmessage = () => resolve();
        worker.onerror = ({ message }) => reject(new Error(`A thread of the CPU device did not start: ${message}`));
        worker.postMessage(start);
      }),
  };
}
