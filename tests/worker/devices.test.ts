/** The devices of the trainer worker, on a real implementation of WebGPU whose adapter is missing for a moment. */
import { afterEach, expect, test, vi } from 'vitest';
import type { WebGpuDevice } from '../../src/device/webgpu/webgpu-device';
import { Devices } from '../../src/worker/devices';
import { testGpu } from '../helpers/devices';

afterEach(() => vi.unstubAllGlobals());

test('a run that began on the GPU waits for its adapter, and does not go on on the CPU', async () => {
  const { gpu } = await testGpu();
  let isThere = true;
  const requestAdapter: GPU['requestAdapter'] = async (options) => (isThere ? gpu.requestAdapter(options) : null);
  vi.stubGlobal('navigator', { gpu: { requestAdapter } });
  const devices = new Devices();
  const first = (await devices.open(await devices.kindOf('gpu'))) as WebGpuDevice;
  isThere = false;
  first.handle.destroy();
  await first.handle.lost;
  expect(await devices.kindOf('gpu')).toBe('gpu');
  await expect(devices.openHealthy('gpu')).rejects.toThrow('no graphics adapter answered');
  isThere = true;
  const second = await devices.openHealthy('gpu');
  expect(second.adapter.kind).toBe('gpu');
  expect(second).not.toBe(first);
  second.destroy();
});

test('an adapter that came or went is seen at the next look', async () => {
  vi.stubGlobal('navigator', {});
  const devices = new Devices();
  expect(await devices.kindOf('gpu')).toBe('cpu');
  vi.stubGlobal('navigator', { gpu: (await testGpu()).gpu });
  expect(await devices.kindOf('gpu')).toBe('cpu');
  await devices.find();
  expect(await devices.kindOf('gpu')).toBe('gpu');
});
