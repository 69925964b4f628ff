/** Selects distinct rows of an activation by index. */
import type { Tape } from '../device/tape';
import type { Tensor } from '../device/tensor';
import { elementConstants, rowGrid, type Rows } from './rows';

/**
 * @param x [N, D]
 * @param index u32 [M]: distinct rows of x, or 0xffffffff for an unused row, which is zero and has no gradient
 * @returns [M, D]
 */
export function gatherRows(tape: Tape, x: Tensor, index: Tensor, rows?: Rows): Tensor {
  const [N, D] = x.shape;
  const M = index.shape[0];
  const constants = { ...elementConstants(D), N, M };
  const y = tape.activation('gathered', [M, D]);
  const grid = rowGrid(M, constants.W, rows);
  tape.dispatch('gather-rows', 'forward', constants, { x, chosen: index, y }, grid);
  tape.onBackward(() => {
    if (x.grad) tape.dispatch('gather-rows', 'backward', constants, { chosen: index, dy: y.grad!, dx: x.grad }, grid);
  });
  return y;
}
