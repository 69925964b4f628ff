/**
 * The real GPU that tests run on, through Dawn in Node, never a mock. A process runs many test files; they share one
 * device, so that each kernel compiles once. A test that breaks a device opens its own. The CPU device is beside it.
 */
import { openNodeGpu, type NodeGpu } from '../../src/cli/node-gpu';
import type { Device } from '../../src/device/device';
import { WasmDevice } from '../../src/device/wasm/wasm-device';
import { WebGpuDevice } from '../../src/device/webgpu/webgpu-device';

let opened: Promise<NodeGpu> | undefined;
let shared: Promise<WebGpuDevice> | undefined;

/**
 * The WebGPU entry point of this process, for tests that open devices of their own. Rejects with a sentence if there is
 * no adapter.
 */
export function testGpu(): Promise<NodeGpu> {
  return (opened ??= openNodeGpu());
}

/**
 * The device that all tests of a process share. Call it while the file loads or in a hook or test.
 */
export function testDevice(): Promise<WebGpuDevice> {
  return (shared ??= testGpu().then(({ gpu }) => WebGpuDevice.open(gpu)));
}

let cpu: Promise<WasmDevice> | undefined;

/** The CPU device that all tests of a process share. */
export function cpuDevice(): Promise<WasmDevice> {
  return (cpu ??= WasmDevice.open());
}

/** Both, for what must hold on each. */
export function testDevices(): Promise<Device[]> {
  return Promise.all([testDevice(), cpuDevice()]);
}
