/** The numbers of a token as the card shows them. */
import { expect, test } from 'vitest';
import type { Explanation, TokenNumbers } from '../../src/rl/diagnostics/token-explanation';
import type { TokenCell } from '../../src/share/rollout-tokens';
import { cardFields, formulaLines, momentWords, others } from '../../src/presentation/token-card';

const cell: TokenCell = {
  index: 3,
  step: 1,
  author: 'agent',
  id: 7,
  text: '4',
  special: false,
  inLoss: true,
  advantage: -0.5,
  logProb: Math.log(0.25),
  entropy: 0.6931,
  value: null,
  place: 0,
};
const numbers: TokenNumbers = {
  loss: -0.5,
  ratio: 1.3,
  clipped: true,
  dualClipped: false,
  formula: '−A · log π',
  numbers: '−(−0.5) · (−1)',
  logProb: -1,
  reference: -1.2,
  kl: 0.02,
  likeliest: [7, 8, 9, 10, 11, 12].map((id, i) => ({ id, probability: 0.5 / (i + 1) })),
};
const valueOf = (fields: ReturnType<typeof cardFields>, name: string) => fields.find(([key]) => key === name)?.[1];

test('a token that was read has old and new numbers, and whether it is clipped', () => {
  const fields = cardFields(cell, numbers, true);
  expect(valueOf(fields, 'logProb')).toBe('−1.386');
  expect(valueOf(fields, 'newLogProb')).toBe('−1.000');
  expect(valueOf(fields, 'ratio')).toBe('1.300 · clipped');
  expect(valueOf(fields, 'kl')).toBe('0.020');
  expect(valueOf(fields, 'value')).toBe('–');
  expect(valueOf(fields, 'probability')).toBe('25.0\u00a0%');
});

test('what is not known is a dash, and a field of a reading is missing without one', () => {
  const fields = cardFields(
    { ...cell, author: 'environment', advantage: null, logProb: null, place: null },
    null,
    false,
  );
  expect(valueOf(fields, 'ratio')).toBe('–');
  expect(valueOf(fields, 'kl')).toBe('–');
  expect(valueOf(fields, 'newLogProb')).toBeUndefined();
});

test('five others, without the token that was sampled', () => {
  expect(others(numbers, 7).map(({ id }) => id)).toEqual([8, 9, 10, 11, 12]);
  expect(others(numbers, 99).map(({ id }) => id)).toEqual([7, 8, 9, 10, 11]);
  expect(others({ ...numbers, likeliest: null }, 7)).toEqual([]);
});

test('the formula stands above its numbers, and which agent it is of is said', () => {
  expect(formulaLines(numbers)).toEqual(['−A · log π', '−(−0.5) · (−1) = −0.5']);
  expect(formulaLines({ ...numbers, loss: 0.123456 })[1]).toBe('−(−0.5) · (−1) = 0.123');
  const explanation: Explanation = { algorithm: 'GRPO', partial: false, tokens: [] };
  expect(momentWords(explanation)).toContain('every ratio is 1');
  expect(momentWords({ ...explanation, after: 12, updating: false })).toBe('By the agent now, after iteration 12.');
  expect(momentWords({ ...explanation, after: 12, updating: true })).toBe('By the agent now, during iteration 13.');
  expect(momentWords({ ...explanation, partial: true })).toContain('left out');
});
