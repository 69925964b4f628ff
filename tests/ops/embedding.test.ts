import { describe, test } from 'vitest';
import { embedding } from '../../src/ops/embedding';
import { checkOp } from '../helpers/check-op';
import { takeRows, takeRowsGradient } from '../reference/rows';

function check(V: number, D: number, tokens: readonly number[], frozen = false): Promise<void> {
  return checkOp({
    name: 'embedding',
    inputs: { table: { shape: [V, D], frozen }, tokens: { shape: [tokens.length], type: 'u32', data: tokens } },
    build: (tape, inputs) => embedding(tape, inputs.table, inputs.tokens),
    reference: (inputs) => takeRows(inputs.table, inputs.tokens),
    gradients: (inputs, dy) => ({ table: takeRowsGradient(inputs.table, inputs.tokens, dy) }),
  });
}

const scattered = (count: number, V: number) => Array.from({ length: count }, (_, n) => (n * n * 7 + n) % V);

describe('embedding', () => {
  test('one token', () => check(3, 4, [2]));
  test('repeated tokens, odd sizes', () => check(19, 6, [0, 3, 3, 18, 3, 0, 7]));
  test('one token everywhere', () => check(5, 8, new Array<number>(300).fill(4)));
  test('a vocabulary of 64', () => check(64, 64, scattered(1024, 64)));
  test('a vocabulary of 3000', () => check(3000, 20, scattered(500, 3000)));
  for (const [V, D] of [
    [9, 4],
    [7, 10],
    [5, 3],
    [300, 64],
  ])
    test(`a table of halves [${V}, ${D}]`, () =>
      checkOp({
        name: 'embedding of halves',
        inputs: { table: { shape: [V, D], type: 'f16' }, tokens: { shape: [4], type: 'u32', data: [0, 4, V - 1, 4] } },
        build: (tape, inputs) => embedding(tape, inputs.table, inputs.tokens),
        reference: (inputs) => takeRows(inputs.table, inputs.tokens),
      }));
  test('a frozen table', () => check(9, 4, [1, 2, 1], true));
});
