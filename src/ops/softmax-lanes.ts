import type { Grid } from '../device/device';

/** Threads that share a row of a softmax kernel: one if the vocabulary is small (no barrier, and rows are plenty). */
export const softmaxLanes = (vocabulary: number) => (vocabulary <= 256 ? 1 : 64);

/** Workgroups of 64 threads for `rows` rows. */
export function softmaxGrid(rows: number, lanes: number): Grid {
  return gridOf(rows, lanes, 64);
}

/** The grid of the kernel that draws: THREADS of sample.wgsl. */
export function drawGrid(rows: number, lanes: number): Grid {
  return gridOf(rows, lanes, lanes === 1 ? 8 : lanes);
}

function gridOf(rows: number, lanes: number, threads: number): Grid {
  return { workgroups: [Math.max(1, Math.ceil((rows * lanes) / threads)), 1, 1], items: rows };
}
