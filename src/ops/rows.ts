/** What ops over rows share: the Elements of a row (shaders/lib/element.wgsl) and a grid over some of the rows. */
import { linearGrid, type Dispatch } from '../gpu/commands';

/** Number of leading rows that a replay computes; called when the dispatch is encoded. */
export type Rows = () => number;

/** An invocation for each of `perRow` parts of all `count` rows, or of the leading `rows`. */
export function rowGrid(count: number, perRow: number, rows: Rows = () => count): Dispatch['grid'] {
  return () => linearGrid(Math.min(rows(), count) * perRow);
}

/** A row (or head, or half) of `width` numbers is W Elements: of four numbers each if four divides it, else of one. */
export function elementConstants(width: number): { VEC4: boolean; SCALAR: boolean; W: number } {
  const VEC4 = width % 4 === 0;
  return { VEC4, SCALAR: !VEC4, W: VEC4 ? width / 4 : width };
}
