/** What a model costs, printed before it is downloaded and beside a config that trains it. */
import { totalmem } from 'node:os';
import { formatBytes } from '../../lib/amounts';
import type { RunConfig } from '../../config/config';
import { billLines, modelBill } from '../../rl/model-bill';
import { measureGflops } from '../../worker/device-speed';
import { openDevice } from '../engine';
import { say } from '../terminal';

/** @param fetchBytes what a download would fetch; null for a model that is here */
export async function sayBill(
  config: RunConfig,
  model: unknown,
  licence: string | null,
  fetchBytes: number | null = null,
): Promise<void> {
  const device = await openDevice(config.device);
  try {
    const { name, maxTotalBytes } = device.adapter;
    const memoryBytes = Math.min(maxTotalBytes, totalmem());
    const bill = modelBill(config, model, memoryBytes);
    const machine = { name, memoryBytes, gflops: await measureGflops(device) };
    const licenceLine = `Licence: ${licence ?? 'unknown'}.`;
    const lines = [...(fetchBytes === null ? [] : [`To fetch: ${formatBytes(fetchBytes)}.`]), licenceLine];
    say([...lines, ...billLines(bill, machine), ''].join('\n'));
  } finally {
    device.destroy();
  }
}
