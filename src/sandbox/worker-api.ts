/** A sandbox worker's api: a LocalSandbox behind messages, with a heartbeat. The same in the browser and in Node. */
import { assert } from '../lib/assert';
import type { SandboxRequest, Verdict } from '../agent/sandbox';
import { LocalSandbox } from './local-sandbox';

export interface SandboxWorkerApi {
  /**
   * Call first.
   * @param binary the metered quickjs.wasm, as bytes, since no module can be posted to an opaque origin
   * @param sdk sources of the modules that environments can import
   */
  start(binary: BufferSource, sdk: Readonly<Record<string, string>>): Promise<void>;
  load(source: string, rows?: string): Promise<void>;
  call(requests: readonly SandboxRequest[]): Promise<Verdict[]>;
}

/** The heartbeat of a busy worker. It is not a call, so comlink ignores it. */
export const signOfLife = 'alive';
const signEveryMs = 200;

/** @param send posts a message to the pool */
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
    load: async (source, rows) => started().load(source, rows),
    call: async (requests) => started().call(requests),
  };
}
