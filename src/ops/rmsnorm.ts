/** Root-mean-square normalisation of rows, without mean and bias (Zhang & Sennrich 2019, equation 4). */
import { assert } from '../lib/assert';
import { linearGrid } from '../device/commands';
import type { Device, Dispatch } from '../device/device';
import type { Tape } from '../device/tape';
import type { Tensor } from '../device/tensor';
import { elementConstants, rowGrid, type Rows } from './rows';

/**
 * y = x / sqrt(mean(x^2) + epsilon) * weight.
 * @param x [N, D]
 * @param weight [D]
 * @param lanes threads that share a row
 * @returns [N, D]
 */
export function rmsNorm(
  tape: Tape,
  x: Tensor,
  weight: Tensor,
  epsilon: number,
  rows?: Rows,
  lanes = lanesOf(tape.device),
): Tensor {
  const [N, D] = x.shape;
  assert(weight.shape.join() === `${D}`, `rmsNorm: ${weight.name} is [${weight.shape.join(', ')}], expected [${D}]`);
  // √N partial sums of the weight's gradient over √N rows each.
  const CHUNK = Math.ceil(Math.sqrt(N));
  const ALONE = lanes === 1;
  const constants = { ...elementConstants(D), N, D, EPSILON: epsilon, CHUNK, LANES: lanes, ALONE, SHARED: !ALONE };
  const y = tape.activation('normed', [N, D]);
  const scale = tape.constant('normed.scale', [N]);
  const grid = ALONE ? rowGrid(N, 1, rows) : groupPerRow(N, rows);
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

const lanesOf = ({ adapter }: Device): 1 | 64 => (adapter.software ? 1 : 64);

/** A workgroup for each of all `count` rows, or of the leading `rows`. */
function groupPerRow(count: number, rows?: Rows): Dispatch['grid'] {
  assert(count <= 65535, () => `rmsNorm: ${count} rows, but a grid has at most 65535 workgroups`);
  return () => {
    const items = rows?.count ?? count;
    return { workgroups: [items, 1, 1], items };
  };
}
