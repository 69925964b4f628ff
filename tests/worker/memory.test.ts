/** A run too large for the CPU device is refused before anything is allocated; one that fails later is freed. */
import { afterEach, expect, test, vi } from 'vitest';
import { compileQuickJs } from '../../src/cli/quickjs';
import { quietHooks } from '../../src/cli/recorded-start';
import { OutOfDeviceMemory } from '../../src/device/device';
import { maxMemoryBytes } from '../../src/device/wasm/linear-memory';
import { WasmDevice } from '../../src/device/wasm/wasm-device';
import { sdkSource } from '../../src/environments/built-in';
import { openRunLink } from '../../src/config/run-link';
import { planRun } from '../../src/rl/memory';
import { LocalSandbox } from '../../src/sandbox/local-sandbox';
import { Devices } from '../../src/worker/devices';
import { Gate } from '../../src/run/gate';
import { Session } from '../../src/run/session';
import { largestLink } from '../helpers/links';
import { tinyRun } from '../helpers/tiny-run';

const openSandbox = async () => new LocalSandbox({ binary: await compileQuickJs(), sdk: sdkSource });
const open = (device: WasmDevice, config = tinyRun(1)) =>
  Session.open(device, openSandbox, config, null, quietHooks, new Gate(() => undefined));

afterEach(() => vi.unstubAllGlobals());

test('the largest sizes of a link have a problem on the CPU device', async () => {
  const { config } = await openRunLink(largestLink);
  const { problems } = planRun(config, null, {
    bindingBytes: Infinity,
    memoryBytes: Infinity,
    deviceBytes: maxMemoryBytes,
  });
  expect(problems).toEqual([
    expect.stringMatching(/^The run takes \d{4} MB and the device can hold 4295 MB; halve the batch or choose/),
  ]);
});

test('a run that a device can never hold is refused before anything is allocated', async () => {
  const device = await WasmDevice.open(undefined, 5 << 20);
  device.resetCounters();
  await expect(open(device)).rejects.toThrow(/^The run takes \d+ MB and the device can hold 5 MB; halve the batch/);
  expect(device.counters.buffers).toBe(0);
});

test('memory that runs out all the same is given back: the device is destroyed', async () => {
  const device = await WasmDevice.open(undefined, 5 << 20);
  Object.assign(device.adapter, { maxTotalBytes: Infinity });
  await expect(open(device)).rejects.toThrow(OutOfDeviceMemory);
  expect(device.lost).toBe(true);
});

test('the next run opens a new device after one was destroyed', async () => {
  vi.stubGlobal('navigator', {});
  vi.stubGlobal('crossOriginIsolated', false);
  const devices = new Devices();
  const first = await devices.openHealthy('cpu');
  first.giveBackMemory();
  const second = await devices.openHealthy('cpu');
  expect(second).not.toBe(first);
  second.buffer('small', 256);
  second.destroy();
});
