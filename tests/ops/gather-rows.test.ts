import { describe, test } from 'vitest';
import { gatherRows } from '../../src/ops/gather-rows';
import { checkOp } from '../helpers/check-op';
import { takeRows, takeRowsGradient } from '../reference/rows';

const unused = 0xffffffff;

function check(N: number, D: number, index: readonly number[]): Promise<void> {
  return checkOp({
    name: 'gatherRows',
    inputs: { x: { shape: [N, D] }, index: { shape: [index.length], type: 'u32', data: index } },
    build: (tape, inputs) => gatherRows(tape, inputs.x, inputs.index),
    reference: (inputs) => takeRows(inputs.x, inputs.index),
    gradients: (inputs, dy) => ({ x: takeRowsGradient(inputs.x, inputs.index, dy) }),
  });
}

describe('gatherRows', () => {
  test('some rows', () => check(7, 5, [6, 0, 3]));
  test('an unused tail', () => check(9, 12, [8, 2, 5, unused, unused]));
  test('none in use', () => check(3, 4, [unused, unused]));
  test('every row, backwards', () =>
    check(
      130,
      8,
      Array.from({ length: 130 }, (_, i) => 129 - i),
    ));
});
