/** What every terminal command needs of the engine: a device, and a sandbox in this process. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { sdkSource } from '../environments/built-in';
import { Device } from '../gpu/device';
import { chooseMatmul } from '../ops/matmul-choice';
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
