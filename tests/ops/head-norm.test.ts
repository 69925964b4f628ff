import { describe, expect, test } from 'vitest';
import { DryDevice } from '../../src/device/dry-device';
import { Tape } from '../../src/device/tape';
import { createTensor } from '../../src/device/tensor';
import { headNorm } from '../../src/ops/head-norm';
import { checkOp } from '../helpers/check-op';
import * as reference from '../reference/head-norm';

const check = (N: number, heads: number, kvHeads: number, headSize: number): Promise<void> =>
  checkOp({
    name: 'headNorm',
    inputs: {
      qkv: { shape: [N, (heads + 2 * kvHeads) * headSize] },
      query: { shape: [headSize], frozen: true },
      key: { shape: [headSize], frozen: true },
    },
    build: (tape, { qkv, query, key }) => headNorm(tape, qkv, { query, key }, 1e-6, { heads, kvHeads, headSize }),
    reference: ({ qkv, query, key }) => reference.headNorm(qkv, query, key, 1e-6, { heads, kvHeads }),
  });

describe('headNorm', () => {
  test('one head of each, 2 numbers', () => check(3, 1, 1, 2));
  test('grouped heads of 8', () => check(5, 4, 2, 8));
  test('heads of 6, which four does not divide', () => check(2, 3, 1, 6));

  test('a weight with a gradient is refused', () => {
    const device = new DryDevice();
    const [qkv, query] = [createTensor(device, 'qkv', [2, 6]), createTensor(device, 'q', [2], { gradient: true })];
    const layout = { heads: 1, kvHeads: 1, headSize: 2 };
    expect(() => headNorm(new Tape(device, true), qkv, { query, key: query }, 1e-6, layout)).toThrow('be trained');
  });
});
