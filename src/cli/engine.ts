/** Opens what the commands need of the engine: a device, and a sandbox in this process. */
import type { Sandbox } from '../agent/sandbox';
import { sdkSource } from '../environments/built-in';
import { chosenDevice, deviceChoices, type DeviceChoice } from '../device/choice';
import type { Device } from '../device/device';
import { WasmDevice } from '../device/wasm/wasm-device';
import { WebGpuDevice } from '../device/webgpu/webgpu-device';
import { plainText } from '../lib/plain-text';
import { chooseMatmul } from '../ops/matmul-choice';
import { LocalSandbox } from '../sandbox/local-sandbox';
import { HostSandbox } from './host-tools/sandbox';
import type { HostTools } from './host-tools/tools';
import { nodeMemoryBytes, nodeThreads } from './cpu-threads';
import { openNodeGpu } from './node-gpu';
import { compileQuickJs } from './quickjs';

/** @throws a sentence if a GPU is asked for and there is none */
export async function openDevice(choice: DeviceChoice): Promise<Device> {
  if (choice === 'cpu') return WasmDevice.open(nodeThreads(), nodeMemoryBytes());
  const found = await openNodeGpu().catch((error: unknown) => {
    if (choice === 'gpu') throw error;
    return null;
  });
  if (!found || chosenDevice(choice, found) === 'cpu') return WasmDevice.open(nodeThreads(), nodeMemoryBytes());
  const device = await WebGpuDevice.open(found.gpu);
  await chooseMatmul(device);
  return device;
}

export const deviceFlag = {
  kind: 'text',
  help: 'auto, gpu or cpu: auto is a GPU if there is a real one, else the CPU, whose bits are the same everywhere',
  value: 'DEVICE',
} as const;

/** The value of `--device`. */
export function deviceChoice(text: string): DeviceChoice {
  const choice = deviceChoices.find((each) => each === text);
  if (choice) return choice;
  throw new Error(`--device cannot be "${plainText(text, 32)}"; it takes ${deviceChoices.join(', ')}.`);
}

/** What is recorded or published is made on the CPU unless a device is named, so that anyone can make it again. */
export const orCpu = (choice: DeviceChoice): DeviceChoice => (choice === 'auto' ? 'cpu' : choice);

/** @param host tools that it gives to environments */
export async function openSandbox(host: HostTools | null = null): Promise<Sandbox> {
  const sandbox = new LocalSandbox({ binary: await compileQuickJs(), sdk: sdkSource });
  return host ? new HostSandbox(sandbox, host) : sandbox;
}
