/** Top-k and top-p of a large vocabulary against float64. */
import { describe, test } from 'vitest';
import { onWebGpu } from '../helpers/devices';
import { expectCut, noise, row, type Cut } from '../helpers/draws';

describe('152,000 tokens', () => {
  // A head of 25 tokens in steps of 1/8 over a long tail.
  const long = row(152_000, (v) => (v % 6074 === 17 ? 11 + Math.floor(8 * noise(v)) / 8 : 2 * noise(v)));

  test.each<Partial<Cut>>([{ topK: 9 }, { topP: 0.35 }, { topK: 20, topP: 0.4 }])('%j', (cut) =>
    expectCut(long, cut, 64, true),
  );

  test('the last of 70,000 equal ones that top-k keeps', () =>
    expectCut(
      row(152_000, (v) => (v < 82_000 ? -20 : 0)),
      { topK: 12 },
      64,
      true,
    ));
});

onWebGpu(() => {
  test('256 threads share a row of 20,000 tokens', async () => {
    const logits = row(20_000, (v) => (v % 874 === 17 ? 9 + Math.floor(8 * noise(v)) / 8 : 2 * noise(v)));
    for (const cut of [{ topK: 9 }, { topK: 20, topP: 0.4 }]) await expectCut(logits, cut, 256, true);
  });
});
