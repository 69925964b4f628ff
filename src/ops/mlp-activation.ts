/** The non-linearities between the two matrix products of an MLP. */
import { assert } from '../lib/assert';
import type { Tape } from '../device/tape';
import type { Tensor } from '../device/tensor';
import { elementConstants, rowGrid, type Rows } from './rows';

/**
 * silu(gate) * up, silu(u) = u * sigmoid(u) (Shazeer 2020, "GLU Variants").
 * @param gateUp [N, 2F], gate in the first half of each row
 * @returns [N, F]
 */
export function swiglu(tape: Tape, gateUp: Tensor, rows?: Rows): Tensor {
  const [, width] = gateUp.shape;
  assert(width % 2 === 0, `swiglu: rows of ${width} have no two halves`);
  return activation(tape, 'swiglu', gateUp, width / 2, rows);
}

/**
 * GELU in its tanh form (Hendrycks & Gimpel 2016): 0.5 x (1 + tanh(sqrt(2/pi) (x + 0.044715 x^3))).
 * @param x [N, F]
 * @returns [N, F]
 */
export function gelu(tape: Tape, x: Tensor, rows?: Rows): Tensor {
  return activation(tape, 'gelu', x, x.shape[1], rows);
}

/** An invocation for each Element of y [N, F]. */
function activation(tape: Tape, shader: string, x: Tensor, F: number, rows?: Rows): Tensor {
  const [N] = x.shape;
  const constants = { ...elementConstants(F), N };
  const y = tape.activation(shader, [N, F]);
  const grid = rowGrid(N, constants.W, rows);
  tape.dispatch(shader, 'forward', constants, { x, y }, grid);
  tape.onBackward(() => {
    if (!x.grad) return;
    const bindings = { x, dy: y.grad!, dx: x.grad };
    tape.dispatch(shader, 'backward', constants, bindings, grid);
  });
  return y;
}
