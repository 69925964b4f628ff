import type { Grid } from '../device/device';

/** Threads that share a row of a softmax kernel: one if the vocabulary is small (no barrier, and rows are plenty). */
export const softmaxLanes = (vocabulary: number) => (vocabulary <= 256 ? 1 : 64);

/** Workgroups of 64 threads for `rows` rows. */
export function softmaxGrid(rows: number, lanes: number): Grid {
  return { workgroups: [Math.max(1, Math.ceil((rows * lanes) / 64)), 1, 1], items: rows };
}
