/** Sum of two activations of one shape (the residual stream). It does not broadcast. */
import { assert } from '../lib/assert';
import { linearGrid } from '../gpu/commands';
import type { Tape } from '../gpu/tape';
import { elementCount, type Tensor } from '../gpu/tensor';

/** a + b, both of any one shape. */
export function add(tape: Tape, a: Tensor, b: Tensor): Tensor {
  assert(
    a.shape.join() === b.shape.join(),
    `add: ${a.name} is [${a.shape.join(', ')}], ${b.name} is [${b.shape.join(', ')}]`,
  );
  const SIZE = elementCount(a.shape);
  const y = tape.activation(`${a.name}+${b.name}`, a.shape);
  const grid = linearGrid(Math.ceil(SIZE / 4));
  tape.dispatch('add', 'forward', { SIZE }, { a, b, y }, grid);
  tape.onBackward(() => {
    for (const grad of [a.grad, b.grad]) {
      if (grad) tape.dispatch('add', 'backward', { SIZE }, { dy: y.grad!, grad }, grid);
    }
  });
  return y;
}
