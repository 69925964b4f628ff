/** A critic's head: a linear value of a hidden state. It fits every network, whose width it takes. */
import type { Tape } from '../device/tape';
import { viewTensor, type Tensor } from '../device/tensor';
import { matmul } from '../ops/matmul';
import type { ParameterSpec, ParameterStore } from './parameters';

/** Its parameters: vectors, which come last in a store. @param width D */
export function valueSpecs(width: number): ParameterSpec[] {
  return [
    { name: 'value.weight', part: 'head', shape: [width], init: { constant: 0 } },
    { name: 'value.bias', part: 'head', shape: [1], init: { constant: 0 } },
  ];
}

/** State values [M, 1] of hidden states [M, D]. */
export function valueHead(tape: Tape, store: ParameterStore, hidden: Tensor): Tensor {
  const weight = store.get('value.weight');
  const asMatrix = (vector: Tensor): Tensor =>
    viewTensor(vector, vector.name, 0, [1, vector.shape[0]], vector.grad && asMatrix(vector.grad));
  return matmul(tape, hidden, asMatrix(weight), { name: 'values', transposeB: true, bias: store.get('value.bias') });
}
