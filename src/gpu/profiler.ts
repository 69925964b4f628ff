/** GPU time by kernel. Needs the feature `timestamp-query`; a pass for each dispatch makes the measured run slower. */
import { assert } from '../lib/assert';
import { encodeDispatch, type Dispatch } from './commands';
import { flags, type Device } from './device';

export interface KernelTime {
  readonly kernel: string;
  readonly calls: number;
  readonly totalMs: number;
}

export function canProfile(device: Device): boolean {
  return device.adapter.features.includes('timestamp-query');
}

/** Runs the dispatches once and returns the time of each kernel, longest first. */
export async function profile(device: Device, dispatches: readonly Dispatch[]): Promise<KernelTime[]> {
  assert(canProfile(device), 'profiling needs the feature timestamp-query');
  const { handle } = device;
  const count = dispatches.length * 2;
  const querySet = handle.createQuerySet({ type: 'timestamp', count });
  const resolved = handle.createBuffer({ size: count * 8, usage: flags.queryResolve | flags.copySource });
  const staging = handle.createBuffer({ size: count * 8, usage: flags.mapRead | flags.copyTarget });
  const encoder = handle.createCommandEncoder();
  dispatches.forEach((dispatch, i) => {
    const pass = encoder.beginComputePass({
      timestampWrites: { querySet, beginningOfPassWriteIndex: 2 * i, endOfPassWriteIndex: 2 * i + 1 },
    });
    encodeDispatch(pass, dispatch);
    pass.end();
  });
  encoder.resolveQuerySet(querySet, 0, count, resolved, 0);
  encoder.copyBufferToBuffer(resolved, 0, staging, 0, count * 8);
  handle.queue.submit([encoder.finish()]);
  await staging.mapAsync(flags.mapRead);
  const stamps = new BigUint64Array(staging.getMappedRange().slice(0));
  for (const resource of [querySet, resolved, staging]) resource.destroy();
  return summed(dispatches, stamps);
}

function summed(dispatches: readonly Dispatch[], stamps: BigUint64Array): KernelTime[] {
  const times = new Map<string, KernelTime>();
  dispatches.forEach(({ kernel: { label: kernel } }, i) => {
    const { calls, totalMs } = times.get(kernel) ?? { calls: 0, totalMs: 0 };
    const ms = Number(stamps[2 * i + 1] - stamps[2 * i]) / 1e6;
    times.set(kernel, { kernel, calls: calls + 1, totalMs: totalMs + ms });
  });
  return [...times.values()].sort((a, b) => b.totalMs - a.totalMs);
}
