import { expect, test } from 'vitest';
import { absentCurve, curveChart, curveKinds, curveSteps } from '../../src/presentation/results/cells';
import { sampleResults } from '../helpers/results';

const [rag, ppo] = sampleResults.rows;
const kept = {
  ...ppo,
  seeds: ppo.seeds.map((seed, i) => ({
    ...seed,
    curves: { ...seed.curves, kl: [0.5 * i, null], explainedVariance: [null, null] },
  })),
};
const rows = [rag, kept];

test('a row has a line for each seed, which reads its own curve', () => {
  const chart = curveChart(kept, 'kl')!;
  expect(chart).toMatchObject({ name: 'PPO', unit: 'number', meaning: curveKinds.kl.meaning });
  const steps = curveSteps(rows);
  expect(steps.map(({ iteration }) => iteration)).toEqual([1, 2]);
  expect(chart.series.map(({ label, value }) => [label, ...steps.map(value)])).toEqual([
    ['seed 1', 0, null],
    ['seed 2', 0.5, null],
  ]);
  expect(new Set(chart.series.map(({ colour }) => colour)).size).toBe(2);
});

test('what was not measured is not drawn, and the page says why', () => {
  expect(curveChart(rag, 'success')).toBeNull();
  expect(curveChart(kept, 'explainedVariance')).toBeNull();
  expect(absentCurve(rows, 'explainedVariance')).toBe('No row of this table measures this curve.');
  expect(curveChart(ppo, 'gradientNorm')).toBeNull();
  expect(absentCurve(rows, 'gradientNorm')).toMatch(/an engine that did not keep this curve/);
});
