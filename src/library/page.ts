/**
 * `agentlet/engine` for pages. The files it fetches are beside it: the metered JavaScript engine and the recorded warm
 * starts. Environments run in the thread that opens the engine: metered, but without the frame that SECURITY.md
 * describes. Use it for environments that you trust.
 */
import type { DeviceChoice } from '../device/choice';
import { sdkSource } from '../environments/built-in';
import { LocalSandbox } from '../sandbox/local-sandbox';
import { Devices } from '../worker/devices';
import { Engine } from './engine';

export * from './engine';

export interface EngineOptions {
  /** `auto` by default: a GPU if there is a real one, else the CPU, whose bits are the same everywhere. */
  readonly device?: DeviceChoice;
  /** Address of the folder that holds `quickjs-metered.wasm` and `checkpoints`; by default the module's own. */
  readonly files?: string | URL;
}

const besideModule = new URL(/* @vite-ignore */ './', import.meta.url);

/** Rejects with a sentence if the device cannot be opened or a file is missing. */
export async function openEngine({ device = 'auto', files = besideModule }: EngineOptions = {}): Promise<Engine> {
  const devices = new Devices();
  const binary = await WebAssembly.compile(await fetched(new URL('quickjs-metered.wasm', files)));
  return new Engine({
    device: await devices.open(await devices.kindOf(device)),
    openSandbox: async () => new LocalSandbox({ binary, sdk: sdkSource }),
    readRecordedStart: async (preset) =>
      new Uint8Array(await fetched(new URL(`checkpoints/${preset}.safetensors`, files))),
  });
}

async function fetched(address: URL): Promise<ArrayBuffer> {
  const response = await fetch(address);
  if (!response.ok) throw new Error(`${address.href} could not be fetched (HTTP ${response.status}).`);
  return response.arrayBuffer();
}
