/** What ops over rows share: the Elements of a row (shaders/lib/element.wgsl) and a grid over some of the rows. */
import { linearGrid } from '../device/commands';
import type { Dispatch } from '../device/device';
import type { Tape } from '../device/tape';
import { writeTensor, type Tensor } from '../device/tensor';

/**
 * The number of leading rows that a replay computes. A grid over rows reads it when it is encoded, a sum over rows on
 * the GPU.
 */
export class Rows {
  readonly tensor: Tensor; // u32 [1]

  /** @param tape owns the tensor @param count at first */
  constructor(
    private readonly tape: Tape,
    public count: number,
  ) {
    this.tensor = tape.uniform('rows', [count]);
  }

  /** Takes effect on all that is encoded and submitted later. */
  set(count: number): void {
    this.count = count;
    writeTensor(this.tape.device, this.tensor, Uint32Array.of(count));
  }
}

/** An invocation for each of `perRow` parts of all `count` rows, or of the leading `rows`. */
export function rowGrid(count: number, perRow: number, rows?: Rows): Dispatch['grid'] {
  return () => {
    const items = rows?.count ?? count;
    return linearGrid(items * perRow, items);
  };
}

/** A row (or head, or half) of `width` numbers is W Elements: of four numbers each if four divides it, else of one. */
export function elementConstants(width: number): { VEC4: boolean; SCALAR: boolean; W: number } {
  const VEC4 = width % 4 === 0;
  return { VEC4, SCALAR: !VEC4, W: VEC4 ? width / 4 : width };
}
