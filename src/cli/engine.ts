/** What every terminal command needs of the engine: a device, a sandbox in this process, and hooks for a run that nobody watches. */
import { sdkSource } from '../environments/built-in';
import { Device } from '../gpu/device';
import { chooseMatmul } from '../ops/matmul-choice';
import type { TrainerHooks } from '../rl/trainer';
import { LocalSandbox } from '../sandbox/local-sandbox';
import { openNodeGpu } from './node-gpu';
import { compileQuickJs } from './quickjs';

export async function openDevice(): Promise<Device> {
  const { gpu } = await openNodeGpu();
  const device = await Device.open(gpu);
  await chooseMatmul(device);
  return device;
}

export async function openSandbox(): Promise<LocalSandbox> {
  return new LocalSandbox({ binary: await compileQuickJs(), sdk: sdkSource });
}

/** Never pauses and tells nothing. */
export const quietHooks: TrainerHooks = {
  between: async () => undefined,
  onProgress: () => undefined,
  onWarmLoss: () => undefined,
  onTurn: () => undefined,
};
