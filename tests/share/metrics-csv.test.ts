/** The file of metrics: its columns, and what was not measured. */
import { describe, expect, it } from 'vitest';
import type { Metrics } from '../../src/rl/report';
import { metricsCsv } from '../../src/share/metrics-csv';
import { metricsRow } from '../helpers/metrics-row';

describe('metricsCsv', () => {
  it('has every metric unsmoothed, terms as columns, and nothing for what was not measured', () => {
    const rows = [
      metricsRow(1, { entropy: 0.1 + 0.2, rewardTerms: { correct: 1 } }),
      metricsRow(2, { rewardTerms: { correct: 0, 'a,"b"': 2 } }),
    ];
    const [head, first, second, end] = metricsCsv(rows).split('\n');
    expect(head).toContain('iteration,validationSuccess,');
    expect(head.endsWith(',rewardTerms.correct,"rewardTerms.a,""b"""')).toBe(true);
    expect(first.startsWith('1,,')).toBe(true);
    expect(first).toContain(String(0.1 + 0.2));
    expect(first.endsWith(',1,')).toBe(true);
    expect(second.endsWith(',0,2')).toBe(true);
    expect(end).toBe('');
    expect(metricsCsv([])).toBe('');
  });

  it('has a column for every number, however deep it lies', () => {
    const information = {
      mutualInformation: 0.5,
      upperBound: 1,
      conditionalEntropy: 2,
      entropy: 3,
      retrievalAccuracy: 0.25,
    };
    const diagnostics: NonNullable<Metrics['diagnostics']> = {
      clippedAbove: 0,
      clippedBelow: 0,
      dualClipped: 0,
      shift: 0.5,
      epochs: 1,
      learnedFrom: 1,
      klCoefficient: 0,
      echoTrap: true,
      partNorms: { embedding: 0.75 },
      critic: null,
      information: null,
      explainedVariance: null,
    };
    const csv = metricsCsv([
      metricsRow(1),
      metricsRow(2, { diagnostics }),
      metricsRow(3, {
        diagnostics: { ...diagnostics, information, critic: { loss: 9, clipFraction: 0, gradientNorm: 1 } },
      }),
    ]);
    expect(csv).not.toMatch(/object/);
    const [head, ...rows] = csv.trimEnd().split('\n');
    const column = (name: string) => rows.map((row) => row.split(',')[head.split(',').indexOf(name)]);
    expect(column('diagnostics.partNorms.embedding')).toEqual(['', '0.75', '0.75']);
    expect(column('diagnostics.critic.loss')).toEqual(['', '', '9']);
    expect(column('diagnostics.information.upperBound')).toEqual(['', '', '1']);
    expect(column('diagnostics.echoTrap')).toEqual(['', '1', '1']);
    expect(rows.every((row) => row.split(',').length === head.split(',').length)).toBe(true);
  });
});
