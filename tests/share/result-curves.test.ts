import { expect, test } from 'vitest';
import { areaUnderSuccess, iterationsToTrained, peakOfSuccess } from '../../src/share/result-curves';
import { sampleResults } from '../helpers/results';

const [rag, ppo] = sampleResults.rows;
const withCurves = (...curves: number[][]) => ({
  seeds: curves.map((success, i) => ({ ...ppo.seeds[0], seed: i, curves: { success, turns: success } })),
});

test('the area under a curve is its mean, over iterations and then over seeds', () => {
  expect(areaUnderSuccess(withCurves([0, 1], [0.5, 0.5, 0.5, 0.9]))).toBeCloseTo(0.55, 12);
  expect(areaUnderSuccess(rag), 'a script has no curve').toBeNull();
});

test('the peak is the highest mean over seeds, with its iteration; a run that collapsed has one', () => {
  expect(peakOfSuccess(withCurves([0.25, 1, 0], [0.25, 0.5, 0]))).toEqual({ success: 0.75, iteration: 2 });
  expect(peakOfSuccess(withCurves([0.25, 0.5, 1], [0.25, 0])), 'a seed that failed has no third').toEqual({
    success: 0.25,
    iteration: 1,
  });
  expect(peakOfSuccess(rag), 'a script has no curve').toBeNull();
});

test('an agent counts as trained from the first iteration at 75 %', () => {
  expect(iterationsToTrained(withCurves([0.75], [0.1, 0.74, 0.8, 0.2], [0.1]))).toEqual([1, 3, null]);
  expect(iterationsToTrained(rag)).toEqual([]);
});
