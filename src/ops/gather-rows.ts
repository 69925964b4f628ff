/** Selects distinct rows of an activation by index. */
import type { Tape } from '../gpu/tape';
import type { Tensor } from '../gpu/tensor';
import { elementConstants, elementLanes } from './element';
import { rowGrid, type RowOptions } from './rows';

/**
 * @param x [N, D]
 * @param index u32 [M]: distinct rows of x, or 0xffffffff for an unused row, which is zero and has no gradient
 * @returns [M, D]
 */
export function gatherRows(tape: Tape, x: Tensor, index: Tensor, options: RowOptions = {}): Tensor {
  const [N, D] = x.shape;
  const M = index.shape[0];
  const lanes = elementLanes(D);
  const W = D / lanes;
  const constants = { ...elementConstants(lanes), N, M, W };
  const y = tape.activation('gathered', [M, D]);
  const grid = rowGrid(M, W, options);
  tape.dispatch('gather-rows', 'forward', constants, { x, chosen: index, y }, grid);
  tape.onBackward(() => {
    if (x.grad) tape.dispatch('gather-rows', 'backward', constants, { chosen: index, dy: y.grad!, dx: x.grad }, grid);
  });
  return y;
}
