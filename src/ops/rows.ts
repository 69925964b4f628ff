/** Grids of ops that compute fewer rows in some replays, as sampling does. */
import { linearGrid, type Dispatch } from '../gpu/commands';

export interface RowOptions {
  /** Number of leading token rows to compute; called when the dispatch is encoded. Default all. */
  readonly rows?: () => number;
}

/** One invocation for each of `perRow` parts of `count` rows. */
export function rowGrid(count: number, perRow: number, { rows }: RowOptions): Dispatch['grid'] {
  return rows ? () => linearGrid(Math.min(rows(), count) * perRow) : linearGrid(count * perRow);
}
