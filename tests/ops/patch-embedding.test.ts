import { describe, test } from 'vitest';
import { embedding } from '../../src/ops/embedding';
import { Patches, patchEmbedding } from '../../src/ops/patch-embedding';
import { checkOp } from '../helpers/check-op';
import * as reference from '../reference/patch-embedding';
import { takeRows, takeRowsGradient } from '../reference/rows';

/** Patches of K numbers in place of some of N tokens, with room for more; what stands in that room must not matter. */
function check(N: number, D: number, K: number, places: readonly number[], most = places.length + 3): Promise<void> {
  const tokens = Array.from({ length: N }, (_, n) => (n * 5) % 7);
  const P = places.length;
  const numbers = Float32Array.from({ length: most * K }, (_, i) => Math.fround(((i * 37) % 101) / 101));
  const patches = { shape: [P, K], data: Float64Array.from(numbers.subarray(0, P * K)) };
  return checkOp({
    name: 'patch embedding',
    inputs: {
      table: { shape: [7, D] },
      tokens: { shape: [N], type: 'u32', data: tokens },
      weight: { shape: [D, K] },
      bias: { shape: [D] },
    },
    build: (tape, inputs) => {
      const x = embedding(tape, inputs.table, inputs.tokens);
      const given = new Patches(tape, most, K);
      // A replay with more patches leaves its own behind.
      given.set(
        numbers,
        Uint32Array.from({ length: most }, (_, p) => N - 1 - p),
      );
      given.set(numbers.subarray(0, P * K), Uint32Array.from(places));
      patchEmbedding(tape, x, given, inputs.weight, inputs.bias);
      return x;
    },
    reference: ({ table, tokens: index, weight, bias }) =>
      reference.patchEmbedding(takeRows(table, index), patches, places, weight, bias),
    gradients: (inputs, dy) => {
      const { x, weight, bias } = reference.patchEmbeddingGradients(dy, patches, places);
      return { table: takeRowsGradient(inputs.table, inputs.tokens, x), weight, bias };
    },
  });
}

describe('patch embedding', () => {
  test('a patch of nine numbers', () => check(5, 16, 9, [2]));
  test('patches out of order, odd sizes', () => check(13, 7, 5, [12, 0, 7]));
  test('no patch', () => check(9, 8, 12, []));
  test('an image of 64 patches of 8 × 8 × 3', () =>
    check(
      100,
      64,
      192,
      Array.from({ length: 64 }, (_, p) => 20 + p),
    ));
  test('a patch at every row', () =>
    check(
      130,
      20,
      8,
      Array.from({ length: 130 }, (_, p) => 129 - p),
      130,
    ));
});
