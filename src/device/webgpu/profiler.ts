/** GPU time of dispatches. A pass for each makes the measured run slower. */
import type { Dispatch } from '../device';
import { encodeDispatch, flags } from './encoder';

/** Runs the dispatches once. The device needs the feature `timestamp-query`. @returns milliseconds [dispatches] */
export async function timesOf(handle: GPUDevice, dispatches: readonly Dispatch[]): Promise<number[]> {
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
  return dispatches.map((_, i) => Number(stamps[2 * i + 1] - stamps[2 * i]) / 1e6);
}
