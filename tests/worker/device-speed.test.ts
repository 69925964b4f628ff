/** The speed that the page shows is measured on either device. */
import { expect, test } from 'vitest';
import { measureGflops } from '../../src/worker/device-speed';
import { cpuDevice, testDevice } from '../helpers/devices';

test.each([
  ['GPU', testDevice],
  ['CPU', cpuDevice],
])('matrix products on the %s', async (_, open) => {
  const gflops = await measureGflops(await open());
  expect(gflops).toBeGreaterThan(0.01);
  expect(gflops).toBeLessThan(1e6);
});
