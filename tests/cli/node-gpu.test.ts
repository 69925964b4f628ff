import { afterEach, expect, test } from 'vitest';
import { openNodeGpu } from '../../src/cli/node-gpu';
import { gpuDevice, testGpu } from '../helpers/devices';

const before = { ...process.env };
afterEach(() => {
  for (const name of ['AGENTLET_ADAPTER', 'VK_DRIVER_FILES', 'VK_ICD_FILENAMES']) {
    if (before[name] === undefined) delete process.env[name];
    else process.env[name] = before[name];
  }
});

test('an adapter is found and named, and WebGPU constants are where a browser has them', async () => {
  const { adapterName, driver } = await testGpu();
  expect(adapterName).not.toBe('');
  expect(driver).toMatch(/^default$|\.json$/);
  expect(GPUBufferUsage.STORAGE).toBe(128);
});

test('the shared device is one device and computes nothing on its own', async () => {
  const device = await gpuDevice();
  expect(await gpuDevice()).toBe(device);
  expect(device.lost).toBe(false);
});

test('SwiftShader is opened by name, in a process that already opened another driver', async (context) => {
  process.env.AGENTLET_ADAPTER = 'swiftshader';
  const opened = await openNodeGpu().catch((error: Error) => error);
  if (opened instanceof Error) return context.skip(opened.message);
  expect(opened.adapterName).toMatch(/SwiftShader/i);
  expect(opened.software).toBe(true);
});

test('an unknown AGENTLET_ADAPTER is refused with what it can be', async () => {
  process.env.AGENTLET_ADAPTER = 'voodoo';
  await expect(openNodeGpu()).rejects.toThrow(
    'AGENTLET_ADAPTER is "voodoo": it can be default, lavapipe or swiftshader.',
  );
});

test('without a working driver one sentence says what to install', async (context) => {
  if (process.platform !== 'linux') return context.skip('only Linux chooses its driver by VK_DRIVER_FILES');
  process.env.VK_DRIVER_FILES = '/nonexistent/driver.json';
  await expect(openNodeGpu()).rejects.toThrow(/^No GPU and no software Vulkan driver was found: install .*\.$/);
});
