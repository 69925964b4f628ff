/** How many threads share one row of a softmax kernel, and the grid that follows. */
import type { Grid } from '../gpu/commands';

/** One thread a row for small vocabularies (no barrier, and rows are plenty), a workgroup a row for large ones. */
export function softmaxLanes(vocabulary: number): 1 | 64 {
  return vocabulary <= 256 ? 1 : 64;
}

/** Workgroups of 64 threads for `rows` rows. */
export function softmaxGrid(rows: number, lanes: 1 | 64): Grid {
  return [Math.max(1, Math.ceil((rows * lanes) / 64)), 1, 1];
}
