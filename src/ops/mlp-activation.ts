/** The non-linearities between the two matrix products of an MLP. */
import { assert } from '../lib/assert';
import { linearGrid } from '../gpu/commands';
import type { Tape } from '../gpu/tape';
import type { Tensor } from '../gpu/tensor';
import { elementConstants, elementLanes } from './element';
import { rowGrid, type RowOptions } from './rows';

/**
 * silu(gate) * up, silu(u) = u * sigmoid(u) (Shazeer 2020, "GLU Variants").
 * @param gateUp [N, 2F], gate in the first half of each row
 * @returns [N, F]
 */
export function swiglu(tape: Tape, gateUp: Tensor, options: RowOptions = {}): Tensor {
  const [N, width] = gateUp.shape;
  assert(width % 2 === 0, `swiglu: rows of ${width} have no two halves`);
  const F = width / 2;
  const lanes = elementLanes(F);
  const W = F / lanes;
  const constants = { ...elementConstants(lanes), N, W };
  const y = tape.activation('swiglu', [N, F]);
  tape.dispatch('swiglu', 'forward', constants, { gateUp, y }, rowGrid(N, W, options));
  tape.onBackward(() => {
    if (gateUp.grad)
      tape.dispatch('swiglu', 'backward', constants, { gateUp, dy: y.grad!, dgateUp: gateUp.grad }, linearGrid(N * W));
  });
  return y;
}

/**
 * GELU in its tanh form (Hendrycks & Gimpel 2016): 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))).
 * @param x [N, F]
 * @returns [N, F]
 */
export function gelu(tape: Tape, x: Tensor, options: RowOptions = {}): Tensor {
  const [N, F] = x.shape;
  const lanes = elementLanes(F);
  const W = F / lanes;
  const constants = { ...elementConstants(lanes), N, W };
  const y = tape.activation('gelu', [N, F]);
  tape.dispatch('gelu', 'forward', constants, { x, y }, rowGrid(N, W, options));
  tape.onBackward(() => {
    if (x.grad) tape.dispatch('gelu', 'backward', constants, { x, dy: y.grad!, dx: x.grad }, linearGrid(N * W));
  });
  return y;
}
