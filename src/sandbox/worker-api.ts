/**
 * What a sandbox worker answers: a LocalSandbox behind messages, and a sign of life while it works. Knows neither how
 * the worker was made nor how messages travel, so that a browser's worker and a thread of Node run the same code.
 */
import { assert } from '../lib/assert';
import type { SandboxRequest, Verdict } from '../agent/sandbox';
import { LocalSandbox } from './local-sandbox';

export interface SandboxWorkerApi {
  /**
   * Comes first. `binary` is the metered quickjs.wasm, in bytes since no module can be posted to an opaque origin;
   * `sdk` the sources of the modules that environments can import.
   */
  start(binary: BufferSource, sdk: Readonly<Record<string, string>>): Promise<void>;
  load(source: string): Promise<void>;
  call(requests: readonly SandboxRequest[]): Promise<Verdict[]>;
}

/** The message that says a worker is busy, not stuck. It is no call, so comlink passes over it. */
export const signOfLife = 'alive';
const signEveryMs = 200;

/** @param send Posts a message to whoever watches this worker. */
export function createWorkerApi(send: (message: typeof signOfLife) => void): SandboxWorkerApi {
  let sandbox: LocalSandbox | null = null;
  let lastSignMs = 0;
  const onProgress = () => {
    const nowMs = performance.now();
    if (nowMs - lastSignMs < signEveryMs) return;
    lastSignMs = nowMs;
    send(signOfLife);
  };
  const started = () => {
    assert(sandbox !== null, 'a sandbox worker was used before start');
    return sandbox;
  };
  return {
    async start(binary, sdk) {
      sandbox = new LocalSandbox({ binary: await WebAssembly.compile(binary), sdk, onProgress });
    },
    load: async (source) => started().load(source),
    call: async (requests) => started().call(requests),
  };
}
