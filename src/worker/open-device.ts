/** What this browser can train on, and its devices opened. */
import { get, set } from 'idb-keyval';
import { chosenDevice, type DeviceKind } from '../device/choice';
import type { Device } from '../device/device';
import { cpuName, WasmDevice } from '../device/wasm/wasm-device';
import { findAdapter, WebGpuDevice } from '../device/webgpu/webgpu-device';
import { chooseMatmul } from '../ops/matmul-choice';
import type { MatmulChoice } from '../ops/matmul-product';
import { engineVersion } from '../rl/config/run-link';
import { browserThreads } from './cpu-threads';
import type { DeviceReport } from './protocol';

/** Looks anew each time: an adapter may come and go. */
export async function findDevices(): Promise<DeviceReport> {
  const gpu = await findGpu();
  const adapter = gpu.ok ? gpu : null;
  const runsOn = (choice: 'auto' | 'gpu' | 'cpu') => chosenDevice(choice, adapter);
  return { gpu, cpu: cpuName, runsOn: { auto: runsOn('auto'), gpu: runsOn('gpu'), cpu: 'cpu' } };
}

async function findGpu(): Promise<DeviceReport['gpu']> {
  try {
    if (!('gpu' in navigator)) throw new Error('This browser has no WebGPU.');
    const { name: adapter, software } = await findAdapter(navigator.gpu);
    return { ok: true, adapter, software };
  } catch (error) {
    return { ok: false, reason: (error as Error).message };
  }
}

/** A GPU's matmul kernels are chosen by measuring once; IndexedDB keeps the choice for each adapter. */
export async function openDevice(kind: DeviceKind): Promise<Device> {
  if (kind === 'cpu') return WasmDevice.open(browserThreads());
  const device = await WebGpuDevice.open(navigator.gpu);
  const { name, subgroupSize } = device.adapter;
  const key = `matmul ${engineVersion} ${name} ${subgroupSize}`;
  const remembered = await ifAllowed(() => get<MatmulChoice>(key));
  const choice = await chooseMatmul(device, remembered);
  if (!remembered) await ifAllowed(() => set(key, choice));
  return device;
}

/** Undefined without storage: a forbidden one throws, a broken one rejects. */
async function ifAllowed<T>(access: () => Promise<T>): Promise<T | undefined> {
  try {
    return await access();
  } catch {
    return undefined;
  }
}
