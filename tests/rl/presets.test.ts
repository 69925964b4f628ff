/**
 * Every preset without a GPU: its config is valid, its episodes fit, and its environment's scripts play through the
 * loop that rollouts take.
 */
import { expect, test } from 'vitest';
import { configNotices, configProblems } from '../../src/config/config';
import { planRun } from '../../src/rl/memory';
import { algorithms } from '../../src/algorithms/table';
import { withAlgorithm } from '../../src/config/with-algorithm';
import { presets } from '../../src/config/presets';
import { testPresets } from './preset-promises';

test('episodes of few presets can be long enough for DAPO’s penalty, as its text says', () => {
  const long = presets.filter(({ config }) => {
    const { rollout, shaping } = withAlgorithm(config, 'dapo');
    expect(shaping.overlong).toBeGreaterThan(0);
    return rollout.maxTurns * rollout.maxTokens >= shaping.overlongFrom;
  });
  expect(long.length).toBeGreaterThan(0);
  expect(long.length).toBeLessThan(presets.length / 2);
  expect(algorithms.dapo.columns[0].about).toMatch(/the episodes of few presets/);
});

test('a target for KL needs a coefficient to adapt', () => {
  const [{ config }] = presets;
  const problems = (klCoefficient: number) =>
    configProblems({ ...config, algorithm: { ...config.algorithm, klTarget: 0.1, klCoefficient } });
  expect(problems(0)).toEqual([
    'algorithm.klTarget: a coefficient of 0 stays 0 whatever the KL is; set algorithm.klCoefficient above 0, ' +
      'or the target to 0.',
  ]);
  expect(problems(0.1)).toEqual([]);
});

test('names are unique', () => {
  expect(new Set(presets.map(({ name }) => name)).size).toBe(presets.length);
});

testPresets(16, ['compact']);

test('a truncated draw is noticed, because training then is biased', () => {
  const { config } = presets[0];
  const limits = { bindingBytes: Infinity, memoryBytes: Infinity };
  const cut = (changes: object) => ({ ...config, rollout: { ...config.rollout, ...changes } });
  expect(configNotices(config)).toEqual([]);
  for (const biased of [cut({ topK: 5 }), cut({ topP: 0.9 }), cut({ topK: 5, topP: 0.9 })]) {
    expect(configNotices(biased)).toEqual([expect.stringContaining('biased')]);
    expect(configProblems(biased)).toEqual([]);
    expect(planRun(biased, null, limits)).toMatchObject({ problems: [], notices: configNotices(biased) });
  }
});
