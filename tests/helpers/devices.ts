/**
 * The real devices that tests run on, never a mock: the CPU, and WebGPU through Dawn in Node. A process runs many test
 * files; they share one device of each kind, so that each kernel compiles once. A test that breaks a device opens its
 * own.
 */
import { afterAll, beforeAll, describe } from 'vitest';
import { nodeThreads } from '../../src/cli/cpu-threads';
import { openNodeGpu, type NodeGpu } from '../../src/cli/node-gpu';
import type { Device } from '../../src/device/device';
import { WasmDevice } from '../../src/device/wasm/wasm-device';
import { WebGpuDevice } from '../../src/device/webgpu/webgpu-device';

let opened: Promise<NodeGpu> | undefined;
let gpu: Promise<WebGpuDevice> | undefined;
let cpu: Promise<WasmDevice> | undefined;
let current: () => Promise<Device> = cpuDevice;

/**
 * The WebGPU entry point of this process, for tests that open devices of their own. Rejects with a sentence if there is
 * no adapter.
 */
export function testGpu(): Promise<NodeGpu> {
  return (opened ??= openNodeGpu());
}

export function gpuDevice(): Promise<WebGpuDevice> {
  return (gpu ??= testGpu().then((found) => WebGpuDevice.open(found.gpu)));
}

export function cpuDevice(): Promise<WasmDevice> {
  return (cpu ??= WasmDevice.open(nodeThreads()));
}

/** For tests that go through both by themselves. */
export function testDevices(): Promise<Device[]> {
  return Promise.all([gpuDevice(), cpuDevice()]);
}

/** The device of a suite: the CPU, or what `onBothDevices` and `onWebGpu` say. Call it in a hook or test. */
export function testDevice(): Promise<Device> {
  return current();
}

/** What is proved about WebGPU is proved on it, and about the CPU on that. */
export function onBothDevices(suite: () => void): void {
  onDevice('CPU', cpuDevice, suite);
  onWebGpu(suite);
}

export function onWebGpu(suite: () => void): void {
  onDevice('WebGPU', gpuDevice, suite);
}

function onDevice(name: string, device: () => Promise<Device>, suite: () => void): void {
  describe(name, () => {
    beforeAll(() => void (current = device));
    afterAll(() => void (current = cpuDevice));
    suite();
  });
}
