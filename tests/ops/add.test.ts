import { describe, test } from 'vitest';
import { add } from '../../src/ops/add';
import { checkOp } from '../helpers/check-op';
import * as reference from '../reference/add';

describe('add', () => {
  for (const shape of [[1], [3, 7], [2, 5, 13], [64, 32]]) {
    test(`[${shape}]`, () =>
      checkOp({
        name: 'add',
        inputs: { a: { shape }, b: { shape } },
        build: (tape, { a, b }) => add(tape, a, b),
        reference: ({ a, b }) => reference.add(a, b),
        gradients: (_, upstream) => ({ a: upstream, b: upstream }),
      }));
  }

  test('both operands are one tensor', () =>
    checkOp({
      name: 'x + x',
      inputs: { x: { shape: [5] } },
      build: (tape, { x }) => add(tape, x, x),
      reference: ({ x }) => reference.add(x, x),
    }));
});
