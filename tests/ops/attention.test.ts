import { describe, test } from 'vitest';
import { attention, type AttentionShape } from '../../src/ops/attention';
import { checkOp } from '../helpers/check-op';
import * as reference from '../reference/attention';

/** Segment starts and ends per token, from the lengths of each row's segments. */
function segments(rows: readonly (readonly number[])[]): { start: number[]; end: number[] } {
  const start: number[] = [];
  const end: number[] = [];
  for (const lengths of rows) {
    let from = 0;
    for (const length of lengths) {
      start.push(...new Array<number>(length).fill(from));
      end.push(...new Array<number>(length).fill(from + length));
      from += length;
    }
  }
  return { start, end };
}

function check(shape: AttentionShape, rows: readonly (readonly number[])[], analytic = true): Promise<void> {
  const { batch, length, heads, kvHeads, headSize } = shape;
  const { start, end } = segments(rows);
  const tokens = { shape: [batch * length], type: 'u32' } as const;
  return checkOp({
    name: 'attention',
    inputs: {
      qkv: { shape: [batch * length, (heads + 2 * kvHeads) * headSize] },
      segmentStart: { ...tokens, data: start },
      segmentEnd: { ...tokens, data: end },
    },
    build: (tape, { qkv, segmentStart, segmentEnd }) => attention(tape, qkv, segmentStart, segmentEnd, shape),
    reference: ({ qkv, segmentStart }) => reference.attention(qkv, segmentStart, shape),
    gradients: analytic
      ? ({ qkv, segmentStart }, dy) => ({ qkv: reference.attentionGradient(qkv, segmentStart, dy, shape) })
      : undefined,
  });
}

describe('attention', () => {
  // prettier-ignore
  test('against central differences', () =>
    check({ batch: 1, length: 7, heads: 2, kvHeads: 1, headSize: 4 }, [[5, 2]], false));
  // prettier-ignore
  test('one token', () =>
    check({ batch: 1, length: 1, heads: 1, kvHeads: 1, headSize: 4 }, [[1]]));
  // prettier-ignore
  test('head size not a multiple of four, rows of one segment', () =>
    check({ batch: 2, length: 9, heads: 3, kvHeads: 3, headSize: 6 }, [[9], [9]]));
  // prettier-ignore
  test('grouped heads, several segments', () =>
    check({ batch: 2, length: 33, heads: 4, kvHeads: 2, headSize: 16 }, [[10, 1, 22], [3, 30]]));
  // prettier-ignore
  test('one key/value head, odd head size', () =>
    check({ batch: 1, length: 21, heads: 3, kvHeads: 1, headSize: 5 }, [[2, 19]]));
  // prettier-ignore
  test('left padding: padded tokens see only themselves', () =>
    check({ batch: 2, length: 6, heads: 4, kvHeads: 1, headSize: 8 }, [[1, 1, 4], [1, 1, 1, 3]]));
  // prettier-ignore
  test('wide heads', () =>
    check({ batch: 1, length: 21, heads: 2, kvHeads: 1, headSize: 32 }, [[21]]));

  test('large scores do not overflow', () => {
    const shape = { batch: 1, length: 5, heads: 1, kvHeads: 1, headSize: 4 };
    const tokens = { shape: [5], type: 'u32' } as const;
    return checkOp(
      {
        name: 'attention',
        inputs: {
          qkv: {
            shape: [5, 12],
            data: Array.from({ length: 60 }, (_, i) => (i % 12 < 8 ? 40 * Math.sin(i) : Math.cos(i))),
          },
          segmentStart: { ...tokens, data: [0, 0, 0, 0, 0] },
          segmentEnd: { ...tokens, data: [5, 5, 5, 5, 5] },
        },
        build: (tape, { qkv, segmentStart, segmentEnd }) => attention(tape, qkv, segmentStart, segmentEnd, shape),
        reference: ({ qkv, segmentStart }) => reference.attention(qkv, segmentStart, shape),
        gradients: ({ qkv, segmentStart }, dy) => ({ qkv: reference.attentionGradient(qkv, segmentStart, dy, shape) }),
      },
      { gradient: { absolute: 1e-3, relative: 1e-3 } },
    );
  });
});
