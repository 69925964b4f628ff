/** Heads of pretrained models through workgroup memory: lavapipe compiles each shape for some seconds. */
import { describe, test } from 'vitest';
import { checkAttention } from '../helpers/attention';
import { alone, sharing } from '../helpers/ranges';

describe('attention through workgroup memory', () => {
  test('heads of 64', () => checkAttention({ heads: 3, kvHeads: 1, headSize: 64 }, alone([5, 75]), { tiled: true }));
  test('heads of 96', () => checkAttention({ heads: 1, kvHeads: 1, headSize: 96 }, alone([9, 11]), { tiled: true }));
  test('heads of 128 that share a prefix', () =>
    checkAttention({ heads: 2, kvHeads: 1, headSize: 128 }, sharing([[20, [9, 14]]]), { tiled: true }));
});
