import { describe, test } from 'vitest';
import { rmsNorm } from '../../src/ops/rmsnorm';
import { checkOp, type OpInput } from '../helpers/check-op';
import * as reference from '../reference/rmsnorm';

function check(N: number, D: number, x: Partial<OpInput> = {}, weight: Partial<OpInput> = {}): Promise<void> {
  return checkOp({
    name: 'rmsNorm',
    inputs: { x: { shape: [N, D], ...x }, weight: { shape: [D], ...weight } },
    build: (tape, inputs) => rmsNorm(tape, inputs.x, inputs.weight, 1e-5),
    reference: (inputs) => reference.rmsNorm(inputs.x, inputs.weight, 1e-5),
  });
}

describe('rmsNorm', () => {
  test('[1, 1]', () => check(1, 1));
  test('[5, 7]', () => check(5, 7));
  test('[19, 12]', () => check(19, 12));
  test('[130, 8]: the weight gradient is summed in chunks', () => check(130, 8));
  test('[2, 320]', () => check(2, 320));
  test('a row of zeros', () => check(2, 6, { data: [0, 0, 0, 0, 0, 0, 1, 2, 3, -4, 5, 6] }));
  test('a frozen weight', () => check(3, 8, {}, { frozen: true }));
  test('a frozen input', () => check(3, 8, { frozen: true }));
});
