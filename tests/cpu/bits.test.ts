/** The CPU device gives the same bits with any number of threads, and those that every engine gave. */
import { kernels } from 'virtual:cpu-kernels';
import { expect, test } from 'vitest';
import { nodeThreads } from '../../src/cli/cpu-threads';
import { WasmDevice } from '../../src/device/wasm/wasm-device';
import { bitsOf } from './bits';
import committed from './bits.json';

test.each([1, 2, 3, 4])('%i threads', { timeout: 300_000 }, async (threads) => {
  const device = await WasmDevice.open({ ...nodeThreads(), count: threads - 1 });
  const bits = await bitsOf(device);
  device.destroy();
  expect(Object.keys(bits.kernels)).toEqual(Object.keys(kernels).sort());
  expect(bits).toEqual({ kernels: committed.kernels, steps: committed.steps, halves: committed.halves });
});
