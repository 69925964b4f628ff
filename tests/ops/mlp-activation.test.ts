import { describe, test } from 'vitest';
import { gelu, swiglu } from '../../src/ops/mlp-activation';
import { checkOp } from '../helpers/check-op';
import * as reference from '../reference/mlp-activation';

describe('swiglu', () => {
  const check = (N: number, F: number, data?: number[]) =>
    checkOp({
      name: 'swiglu',
      inputs: { gateUp: { shape: [N, 2 * F], data } },
      build: (tape, { gateUp }) => swiglu(tape, gateUp),
      reference: ({ gateUp }) => reference.swiglu(gateUp),
    });

  test('[1, 1]', () => check(1, 1));
  test('[5, 7]', () => check(5, 7));
  test('[9, 16]', () => check(9, 16));
  test('gates far from zero', () => check(1, 4, [-200, 200, -90, 1000, 1, 2, 3, 4]));
});

describe('gelu', () => {
  const check = (N: number, F: number, data?: number[]) =>
    checkOp({
      name: 'gelu',
      inputs: { x: { shape: [N, F], data } },
      build: (tape, { x }) => gelu(tape, x),
      reference: ({ x }) => reference.gelu(x),
    });

  test('[1, 1]', () => check(1, 1));
  test('[5, 7]', () => check(5, 7));
  test('[9, 16]', () => check(9, 16));
  test('far from zero, where tanh saturates', () => check(1, 8, [-1000, 1000, -20, 20, -5, 5, 0, 1e6]));
});
