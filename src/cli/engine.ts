/** Opens what the commands need of the engine: a device, a sandbox in this process, silent hooks of a run. */
import { existsSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { sdkSource } from '../environments/built-in';
import type { Device } from '../device/device';
import { WebGpuDevice } from '../device/webgpu/webgpu-device';
import { chooseMatmul } from '../ops/matmul-choice';
import type { TrainerHooks } from '../rl/trainer';
import { LocalSandbox } from '../sandbox/local-sandbox';
import { openNodeGpu } from './node-gpu';
import { compileQuickJs } from './quickjs';

export async function openDevice(): Promise<Device> {
  const { gpu } = await openNodeGpu();
  const device = await WebGpuDevice.open(gpu);
  await chooseMatmul(device);
  return device;
}

export async function openSandbox(): Promise<LocalSandbox> {
  return new LocalSandbox({ binary: await compileQuickJs(), sdk: sdkSource });
}

/** A preset's recorded warm start, from this checkout. */
export async function readRecordedStart(preset: string): Promise<Uint8Array> {
  const path = fileURLToPath(new URL(`../../public/checkpoints/${preset}.safetensors`, import.meta.url));
  if (!existsSync(path))
    throw new Error(
      `There is no recorded warm start at ${path}: make it with npm run record -- ${preset} --warm-start.`,
    );
  return readFileSync(path);
}

/** Never pauses and reports nothing. */
export const quietHooks: TrainerHooks = {
  beforeSubmit: async () => undefined,
  onProgress: () => undefined,
  onWarmLoss: () => undefined,
  onTurn: () => undefined,
  readRecordedStart,
};
