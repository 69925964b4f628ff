import { describe, test } from 'vitest';
import { attention } from '../../src/ops/attention';
import { checkAttention } from '../helpers/attention';
import { checkOp } from '../helpers/check-op';
import { alone, sharing } from '../helpers/ranges';
import * as reference from '../reference/attention';

describe('attention', () => {
  test('against central differences', () =>
    checkAttention({ heads: 2, kvHeads: 1, headSize: 4 }, alone([5, 2]), { analytic: false }));
  test('one token', () => checkAttention({ heads: 1, kvHeads: 1, headSize: 4 }, alone([1])));
  test('head size not a multiple of four', () => checkAttention({ heads: 3, kvHeads: 3, headSize: 6 }, alone([9, 9])));
  test('grouped heads', () => checkAttention({ heads: 4, kvHeads: 2, headSize: 16 }, alone([10, 1, 22, 3, 30])));
  test('one key/value head, odd head size', () =>
    checkAttention({ heads: 3, kvHeads: 1, headSize: 5 }, alone([2, 19])));
  test('tokens that see only themselves', () =>
    checkAttention({ heads: 4, kvHeads: 1, headSize: 8 }, alone([1, 1, 4, 1, 3])));
  test('wide heads', () => checkAttention({ heads: 2, kvHeads: 1, headSize: 32 }, alone([21])));

  const families = [
    [5, [3, 1, 7]],
    [0, [4, 2]],
    [1, [6, 6]],
    [9, [1]],
  ] as const;
  test('segments that share a prefix', () => checkAttention({ heads: 4, kvHeads: 2, headSize: 8 }, sharing(families)));
  test('the same against central differences', () =>
    checkAttention({ heads: 1, kvHeads: 1, headSize: 4 }, sharing(families.slice(0, 2)), { analytic: false }));

  test('through workgroup memory', () =>
    checkAttention({ heads: 4, kvHeads: 2, headSize: 16 }, sharing([...families, [40, [50, 3, 37]]]), {
      tiled: true,
    }));

  test('large scores do not overflow', () => {
    const layout = { heads: 1, kvHeads: 1, headSize: 4 };
    return checkOp(
      {
        name: 'attention',
        inputs: {
          qkv: {
            shape: [5, 12],
            data: Array.from({ length: 60 }, (_, i) => (i % 12 < 8 ? 40 * Math.sin(i) : Math.cos(i))),
          },
          ranges: { shape: [5, 4], type: 'u32', data: alone([5]) },
        },
        build: (tape, { qkv, ranges }) => attention(tape, qkv, ranges, layout),
        reference: ({ qkv, ranges }) => reference.attention(qkv, ranges, layout),
        gradients: ({ qkv, ranges }, dy) => ({ qkv: reference.attentionGradient(qkv, ranges, dy, layout) }),
      },
      { gradient: { absolute: 1e-3, relative: 1e-3 } },
    );
  });
});
