/** The CPU device beside what its ops compute. */
import { expect, test } from 'vitest';
import { Commands, readTensor } from '../../src/device/commands';
import { createTensor, writeTensor } from '../../src/device/tensor';
import { WasmDevice } from '../../src/device/wasm/wasm-device';

test('submissions go on after the memory has grown', async () => {
  const device = await WasmDevice.open();
  const early = createTensor(device, 'early', [4]);
  createTensor(device, 'larger than all memory so far', [4 << 20]);
  const late = createTensor(device, 'late', [4]);
  for (const tensor of [early, late]) writeTensor(device, tensor, Float32Array.of(1, 2, 3, 4));
  new Commands(device).clear([late]).submit();
  expect([...(await readTensor(device, early))]).toEqual([1, 2, 3, 4]);
  expect([...(await readTensor(device, late))]).toEqual([0, 0, 0, 0]);
  device.destroy();
});

test('a buffer destroyed twice frees its memory once', async () => {
  const device = await WasmDevice.open();
  const first = device.buffer('first', 256);
  first.destroy();
  const second = device.buffer('second', 256);
  first.destroy();
  expect(device.buffer('third', 256).at).not.toBe(second.at);
});
