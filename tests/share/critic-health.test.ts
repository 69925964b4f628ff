import { expect, test } from 'vitest';
import { explainsNothing } from '../../src/share/critic-health';

test('a critic is no help once ten measured iterations in a row explain next to nothing of an unsolved task', () => {
  const rows = (shares: readonly (number | null)[], success = 0.5) =>
    shares.map((explainedVariance) => ({ success, diagnostics: { explainedVariance } }));
  const dead = rows(Array.from({ length: 10 }, () => 0.02));
  expect(explainsNothing(dead)).toBe(true);
  expect(explainsNothing(dead.slice(1)), 'nine say too little').toBe(false);
  expect(explainsNothing([...rows([0.7]), ...rows([null]), ...dead]), 'only the last count').toBe(true);
  expect(explainsNothing([...dead.slice(1), ...rows([0.3])])).toBe(false);
  expect(explainsNothing(rows([...dead.map(() => 0)], 0.9)), 'failures of a solved task are chance').toBe(false);
  expect(explainsNothing([{ success: 0 }, ...rows([null])]), 'a run without a critic').toBe(false);
});
