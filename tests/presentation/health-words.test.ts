/** Diagnostics in words and small lines: values, ranges, summaries, what is missing and why. */
import { describe, expect, it } from 'vitest';
import { healthChecks, statuses } from '../../src/share/health';
import {
  absences,
  partNorms,
  rangeWords,
  summaryOf,
  trendWords,
  valueWords,
} from '../../src/presentation/health/words';
import { spark } from '../../src/share/line-svg';
import type { Metrics } from '../../src/rl/report';
import { metricsRow } from '../helpers/metrics-row';

const diagnostics: NonNullable<Metrics['diagnostics']> = {
  clippedAbove: 0.1,
  clippedBelow: 0,
  dualClipped: 0,
  shift: 0.01,
  epochs: 1,
  learnedFrom: 1,
  klCoefficient: 0,
  critic: null,
  explainedVariance: null,
  information: null,
  echoTrap: false,
  partNorms: { embedding: 3, attention: 4 },
};
const row = (iteration: number, values: Partial<Metrics> = {}) =>
  metricsRow(iteration, { rewardStd: 0.4, diagnostics, ...values });
const checkOf = (key: string) => healthChecks.find((each) => each.key === key)!;

describe('words', () => {
  it('say ranges with their units', () => {
    expect(Object.fromEntries(healthChecks.map((check) => [check.key, rangeWords(check)]))).toEqual({
      rewardStd: 'at least 0.05',
      zeroSignalGroups: '0 to 80\u00a0%',
      entropy: 'at least 0.02',
      kl: '0 to 1',
      approxKl: '−0.05 to 0.1',
      clippedAbove: '0 to 30\u00a0%',
      clippedBelow: '0 to 30\u00a0%',
      dualClipped: '0 to 5\u00a0%',
      explainedVariance: '0.1 to 1',
      gradientNorm: '0 to 10',
      information: 'at least 30\u00a0%',
      truncated: '0 to 10\u00a0%',
      echoTrap: 'none',
    });
  });

  it('say values and how they went', () => {
    expect([
      valueWords(-0.2, 'number'),
      valueWords(-1e-5, 'share'),
      valueWords(0.875, 'share'),
      valueWords(1, 'alarm'),
      valueWords(0, 'alarm'),
    ]).toEqual(['−0.2', '0\u00a0%', '88\u00a0%', 'caught', 'none']);
    expect(trendWords([NaN, 0.5, NaN, 0.1], [1, 2, 3, 4], 'number')).toBe('from 0.5 to 0.1 over 3 iterations');
    expect(trendWords([NaN, 0.5], [1, 2], 'share')).toBe('50\u00a0% at iteration 2');
    expect(trendWords([NaN], [1], 'share')).toBe('not measured yet');
  });

  it('name what left its range, the worst first', () => {
    const fine = [row(1)];
    expect(summaryOf(statuses(fine))).toEqual([{ state: 'ok', words: '11 of 11 checks OK' }]);
    const hot = [1, 2, 3].map((i) => row(i, { kl: 3, gradientNorm: i === 3 ? 50 : 1 }));
    expect(summaryOf(statuses(hot))).toEqual([
      { state: 'alarm', words: 'alarm: KL to the reference' },
      { state: 'watch', words: 'watch: Gradient norm' },
    ]);
  });

  it('say why a diagnostic is not there, and nothing of a recording of an earlier version', () => {
    const reasons = (metrics: Metrics) => absences(statuses([metrics]), [metrics]);
    expect(reasons(row(1))).toEqual([
      'Explained variance: not measured, since this algorithm has no critic.',
      'Information about the task: not measured, since it takes two tasks with different prompts.',
    ]);
    const critic = { loss: 1, clipFraction: 0, gradientNorm: 2 };
    expect(reasons(row(1, { diagnostics: { ...diagnostics, critic } }))[0]).toContain('returns have not differed');
    expect(reasons(metricsRow(1))).toEqual([]);
    expect(absences([], [])).toEqual([]);
  });

  it('split the gradient by the parts of the model, the critic among them', () => {
    const critic = { loss: 1, clipFraction: 0, gradientNorm: 2 };
    const rows = [
      row(1, { diagnostics: { ...diagnostics, partNorms: null } }),
      row(2, { diagnostics: { ...diagnostics, critic } }),
    ];
    expect(partNorms(rows)).toEqual([
      { title: 'embedding', values: [NaN, 3] },
      { title: 'attention', values: [NaN, 4] },
      { title: 'critic', values: [NaN, 2] },
    ]);
    expect(partNorms([metricsRow(1)])).toEqual([]);
  });
});

describe('spark', () => {
  const box = { width: 104, height: 24 };
  it('fits the line into its box and shades what is healthy of it', () => {
    const { path, band } = spark([1, 2, 3], [0, 10, 5], { ...box, healthy: [5, Infinity] });
    expect(path).toBe('M2.0 22.0L52.0 2.0L102.0 12.0');
    expect(band).toEqual({ y: 0, height: 12 });
  });

  it('runs on over what was not measured, and shows a lone value', () => {
    expect(spark([1, 2, 3], [0, NaN, 1], { ...box, healthy: [0, 1] }).path).toBe('M2.0 22.0L102.0 2.0');
    expect(spark([1], [0.5], { ...box, healthy: [0, 1] })).toEqual({ path: 'M2.0 12.0h0', band: { y: 0, height: 24 } });
    expect(spark([1], [NaN], { ...box, healthy: [0, 1] })).toEqual({ path: '', band: null });
  });

  it('shades nothing where nothing is healthy', () => {
    expect(spark([1, 2], [2, 3], { ...box, healthy: [0, 1] }).band).toBeNull();
    expect(spark([1, 2], [2, 2], { ...box, healthy: [0, 1] }).band).toBeNull();
  });

  it('keeps the peaks of a long run', () => {
    const long = Array.from({ length: 2000 }, (_, i) => (i === 777 ? 100 : 0));
    const { path } = spark([...long.keys()], long, { ...box, healthy: checkOf('gradientNorm').healthy });
    expect(path.split('L').length).toBeLessThanOrEqual(2 * box.width + 2);
    expect(path).toMatch(/ 2\.0L/);
  });
});
