import { expect, test } from 'vitest';
import { normal, Purpose } from '../../src/lib/rng';
import { isScript, pairedDifferences, spreadOf, successOf } from '../../src/share/interval';
import type { ResultRow } from '../../src/share/results';
import { sampleResults } from '../helpers/results';

const [rag, ppo, gspo] = sampleResults.rows;

test('what is called 95 % covers the mean of 6 normal draws in 95 % of cases', () => {
  const cases = 4000;
  let covered = 0;
  for (let at = 0; at < cases; at++) {
    const { low, high, kind } = spreadOf(Array.from({ length: 6 }, (_, i) => normal(1, Purpose.task, at, i)))!;
    expect(kind).toBe('interval');
    if (low <= 0 && high >= 0) covered++;
  }
  expect(covered / cases).toBeGreaterThan(0.94);
  expect(covered / cases).toBeLessThan(0.96);
});

// Half of the interval, in standard errors, is the quantile that tables of Student's t list.
test.each([
  [6, 2.5706],
  [10, 2.2622],
  [31, 2.0423],
])('%i values have the t interval', (count, quantile) => {
  const values = Array.from({ length: count }, (_, i) => i);
  const mean = (count - 1) / 2;
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / (count - 1);
  const { mean: middle, low, high } = spreadOf(values)!;
  expect(middle).toBeCloseTo(mean, 12);
  expect((high - low) / 2 / Math.sqrt(variance / count)).toBeCloseTo(quantile, 3);
  expect((high + low) / 2).toBeCloseTo(mean, 12);
});

test.each([
  ['none', [], null],
  ['one value', [0.3], { mean: 0.3, low: 0.3, high: 0.3, kind: 'value' }],
  ['five values', [1, 0, 0, 0.5, 0], { mean: 0.3, low: 0, high: 1, kind: 'range' }],
  ['equal values', [1, 1, 1, 1, 1, 1], { mean: 1, low: 1, high: 1, kind: 'range' }],
])('%s: no interval', (_, values, spread) => {
  expect(spreadOf(values)).toEqual(spread);
});

test('an interval of shares stays within 0 and 1', () => {
  expect(spreadOf([0, 0, 0, 0, 0, 1], [0, 1])).toMatchObject({ low: 0, kind: 'interval' });
  expect(spreadOf([0, 0, 0, 0, 0, 1])!.low).toBeLessThan(0);
});

test('a script has one value, also where its file repeats it for every seed', () => {
  const [seed] = rag.seeds;
  const repeated = { ...rag, seeds: [1, 2, 3, 4, 5, 6].map((each) => ({ ...seed, seed: each })) };
  expect([rag, repeated, ppo].map(isScript)).toEqual([true, true, false]);
  expect(successOf(repeated, 'inDistribution')).toMatchObject({ mean: 0.125, kind: 'value' });
  expect(successOf(ppo, 'inDistribution')).toMatchObject({ mean: 0.75, low: 0.5, high: 1, kind: 'range' });
  expect(successOf(gspo, 'inDistribution')).toBeNull();
});

test('rows are compared on the seeds that both finished, in tasks', () => {
  const grpo: ResultRow = { ...ppo, name: 'grpo', title: 'GRPO', seeds: [ppo.seeds[1], ppo.seeds[0]] };
  const better = { ...ppo, seeds: ppo.seeds.map((seed) => ({ ...seed, end: ppo.seeds[1].end })) };
  const table = { tasks: 8, rows: [rag, grpo, better, gspo] };
  expect(pairedDifferences(table, better)).toEqual({
    reference: 'GRPO',
    differences: [4, 0],
    spread: { mean: 2, low: 0, high: 4, kind: 'range' },
  });
  expect(pairedDifferences(table, { ...better, reference: 'gspo' }), 'its reference failed').toBeNull();
  for (const row of [rag, grpo, gspo]) expect(pairedDifferences(table, row), row.title).toBeNull();
  expect(pairedDifferences({ tasks: 8, rows: [rag, ppo] }, ppo), 'no reference').toBeNull();
});
