/** Root-mean-square normalisation of rows, without mean and bias (Zhang & Sennrich 2019, equation 4). */
import { assert } from '../lib/assert';
import { linearGrid } from '../device/commands';
import type { Tape } from '../device/tape';
import type { Tensor } from '../device/tensor';
import { elementConstants, rowGrid, type Rows } from './rows';

/**
 * y = x / sqrt(mean(x^2) + epsilon) * weight.
 * @param x [N, D]
 * @param weight [D]
 * @returns [N, D]
 */
export function rmsNorm(tape: Tape, x: Tensor, weight: Tensor, epsilon: number, rows?: Rows): Tensor {
  const [N, D] = x.shape;
  assert(weight.shape.join() === `${D}`, `rmsNorm: ${weight.name} is [${weight.shape.join(', ')}], expected [${D}]`);
  // √N partial sums of the weight's gradient over √N rows each.
  const CHUNK = Math.ceil(Math.sqrt(N));
  const constants = { ...elementConstants(D), N, D, EPSILON: epsilon, CHUNK };
  const y = tape.activation('normed', [N, D]);
  const scale = tape.constant('normed.scale', [N]);
  const grid = rowGrid(N, 1, rows);
  tape.dispatch('rmsnorm', 'forward', constants, { x, weight, y, scaleOut: scale }, grid);

  tape.onBackward(() => {
    const dy = y.grad!;
    if (x.grad) tape.dispatch('rmsnorm', 'backward', constants, { x, weight, dy, scale, dx: x.grad }, grid);
    if (weight.grad) {
      const chunks = Math.ceil(N / CHUNK);
      const partial = tape.constant('normed.partial', [chunks, D]);
      const bindings = { x, dy, scale, partialOut: partial };
      tape.dispatch('rmsnorm', 'weightPartial', constants, bindings, linearGrid(chunks * constants.W));
      tape.dispatch('rmsnorm', 'weightTotal', constants, { partial, dweight: weight.grad }, linearGrid(constants.W));
    }
  });
  return y;
}
