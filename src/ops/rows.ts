/** Grids of ops whose work may shrink from replay to replay, as sampling's does. */
import { linearGrid, type Dispatch } from '../gpu/commands';

export interface RowOptions {
  /** How many leading token rows matter this replay; asked when the dispatch is encoded. All of them if left out. */
  readonly rows?: () => number;
}

/** One invocation for each of `perRow` parts of `count` rows. */
export function rowGrid(count: number, perRow: number, { rows }: RowOptions): Dispatch['grid'] {
  return rows ? () => linearGrid(Math.min(rows(), count) * perRow) : linearGrid(count * perRow);
}
