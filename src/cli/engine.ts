/** What every terminal command needs of the engine: a device, a sandbox in this process, and hooks for a run that nobody watches. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { sdkSource } from '../environments/built-in';
import { Device } from '../gpu/device';
import { chooseMatmul } from '../ops/matmul-choice';
import type { TrainerHooks } from '../rl/trainer';
import { LocalSandbox } from '../sandbox/local-sandbox';
import { openNodeGpu } from './node-gpu';

export async function openDevice(): Promise<Device> {
  const { gpu } = await openNodeGpu();
  const device = await Device.open(gpu);
  await chooseMatmul(device);
  return device;
}

export async function openSandbox(): Promise<LocalSandbox> {
  const path = createRequire(import.meta.url).resolve('quickjs-wasi/quickjs.wasm');
  return new LocalSandbox({ binary: await WebAssembly.compile(await readFile(path)), sdk: sdkSource });
}

/** Never pauses and tells nothing. */
export const quietHooks: TrainerHooks = {
  between: async () => undefined,
  onProgress: () => undefined,
  onWarmLoss: () => undefined,
  onTurn: () => undefined,
};
