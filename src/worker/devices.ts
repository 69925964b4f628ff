/** What this browser can train on, and its devices. */
import { get, set } from 'idb-keyval';
import { chosenDevice, type DeviceChoice, type DeviceKind } from '../device/choice';
import type { Device } from '../device/device';
import { cpuName, WasmDevice } from '../device/wasm/wasm-device';
import { findAdapter, WebGpuDevice } from '../device/webgpu/webgpu-device';
import { sameJson } from '../lib/same-json';
import { chooseMatmul } from '../ops/matmul-choice';
import { engineVersion } from '../config/run-link';
import { browserThreads } from './cpu-threads';
import { machineMemoryBytes } from './machine-memory';
import type { DeviceReport } from './protocol';

export class Devices {
  private report: Promise<DeviceReport> | null = null;
  private readonly opening = new Map<DeviceKind, Promise<Device>>();

  /** Looks anew: an adapter may come and go. */
  find(): Promise<DeviceReport> {
    return (this.report = findDevices());
  }

  /** What a run is trained on, as it was found last: an adapter missing for a moment turns no run to the CPU. */
  async kindOf(choice: DeviceChoice): Promise<DeviceKind> {
    const { runsOn } = await (this.report ?? this.find());
    return runsOn[choice];
  }

  /** The device if it is open, else null. */
  async opened(kind: DeviceKind): Promise<Device | null> {
    return (await this.opening.get(kind)?.catch(() => null)) ?? null;
  }

  open(kind: DeviceKind): Promise<Device> {
    const known = this.opening.get(kind);
    if (known) return known;
    const opening = this.openWatched(kind).catch((error: unknown) => {
      this.opening.delete(kind);
      throw error;
    });
    this.opening.set(kind, opening);
    return opening;
  }

  /** The device, or a new one if a GPU error tainted it or it was destroyed to give back its memory. */
  async openHealthy(kind: DeviceKind): Promise<Device> {
    const device = await this.open(kind);
    if (device.uncapturedError === null && !device.lost) return device;
    device.destroy();
    this.opening.delete(kind);
    return this.open(kind);
  }

  private async openWatched(kind: DeviceKind): Promise<Device> {
    const device = await openDevice(kind);
    device.onLoss(() => this.opening.delete(kind));
    if (device.lost) this.opening.delete(kind);
    return device;
  }
}

async function findDevices(): Promise<DeviceReport> {
  const gpu = await findGpu();
  const adapter = gpu.ok ? gpu : null;
  const runsOn = (choice: DeviceChoice) => chosenDevice(choice, adapter);
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
async function openDevice(kind: DeviceKind): Promise<Device> {
  if (kind === 'cpu') return WasmDevice.open(browserThreads(), machineMemoryBytes());
  const device = await WebGpuDevice.open(navigator.gpu);
  const { name, subgroupSize } = device.adapter;
  const key = `matmul ${engineVersion} ${name} ${subgroupSize}`;
  const remembered = await ifAllowed(() => get<unknown>(key));
  const choice = await chooseMatmul(device, remembered);
  if (!sameJson(choice, remembered)) await ifAllowed(() => set(key, choice));
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
