/**
 * The real GPU that tests run on, through Dawn in Node: one device for the whole process, never a mock.
 * Each vitest file is its own process, so no device outlives its file.
 */
import { afterAll } from 'vitest';
import { openNodeGpu, type NodeGpu } from '../../src/cli/node-gpu';
import { Device } from '../../src/gpu/device';

let opened: Promise<NodeGpu> | undefined;
let shared: Promise<Device> | undefined;

/**
 * The WebGPU entry point of this process, for tests that open devices of their own. Rejects with a sentence if there is
 * no adapter.
 */
export function testGpu(): Promise<NodeGpu> {
  return (opened ??= openNodeGpu());
}

/**
 * The device that all tests of a file share; it is destroyed after the last of them. Call it while the file loads or in
 * a hook or test.
 */
export function testDevice(): Promise<Device> {
  return (shared ??= testGpu().then(({ gpu }) => Device.open(gpu)));
}

afterAll(async () => {
  (await shared)?.handle.destroy();
});
