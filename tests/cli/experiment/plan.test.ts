import { expect, test } from 'vitest';
import { baseConfig, configChanges, readExperiment, rowConfig } from '../../../src/cli/experiment/plan';
import { experiment as bandit } from '../../../src/cli/experiments/bandit';
import { experiment as masks } from '../../../src/cli/experiments/masks';
import { experiment as methods } from '../../../src/cli/experiments/methods';
import { algorithmNames } from '../../../src/rl/config-algorithm';
import { presetByName } from '../../../src/rl/presets';

const plain = { name: 'a', title: 'A', question: '?', base: 'bandit', rows: [{ name: 'x', title: 'X', kind: 'train' as const }] };

test('every experiment that is built in makes valid configs, and no two of its rows the same', () => {
  for (const file of [bandit, methods, masks]) {
    const experiment = readExperiment(file);
    const trained = experiment.rows.filter(({ kind }) => kind === 'train').map((row) => JSON.stringify(rowConfig(experiment, row, 1)));
    expect(new Set(trained).size, experiment.name).toBe(trained.length);
  }
});

test('the bandit takes every algorithm there is', () => {
  expect(bandit.rows.flatMap(({ algorithm }) => algorithm ?? []).sort()).toEqual([...algorithmNames].sort());
});

test('a row is its base with its algorithm’s settings, then its own changes; the seed is no difference', () => {
  const experiment = readExperiment({
    ...plain,
    changes: { iterations: 3 },
    rows: [{ ...plain.rows[0], algorithm: 'dr-grpo', changes: { 'algorithm.lossMask': false } }],
  });
  const config = rowConfig(experiment, experiment.rows[0], 7);
  expect(config).toMatchObject({ seed: 7, iterations: 3, algorithm: { name: 'dr-grpo', lossMask: false, normalizeStd: false } });
  const changes = configChanges(baseConfig(experiment), config);
  expect(changes).toContainEqual({ path: 'algorithm.name', from: 'grpo', to: 'dr-grpo' });
  expect(changes).toContainEqual({ path: 'algorithm.lossMask', from: true, to: false });
  expect(changes.map(({ path }) => path)).not.toContain('seed');
  const { config: preset } = presetByName('bandit');
  expect(configChanges(preset, baseConfig(experiment))).toEqual([{ path: 'iterations', from: preset.iterations, to: 3 }]);
});

test.each([
  [{ ...plain, base: undefined }, /not an experiment: base: /],
  [{ ...plain, rows: [] }, /not an experiment: rows: /],
  [{ ...plain, rows: [plain.rows[0], plain.rows[0]] }, /two of its rows are called x/],
  [{ ...plain, rows: [{ ...plain.rows[0], kind: 'script' }] }, /x must name a policy/],
  [{ ...plain, rows: [{ ...plain.rows[0], algorithm: 'magic' }] }, /rows\.0\.algorithm: /],
])('%j is refused', (value, sentence) => {
  expect(() => readExperiment(value)).toThrow(sentence);
});

test.each([
  [{ 'algorithms.clipHigh': 1 }, /The row x changes algorithms\.clipHigh, but a config has no such setting/],
  [{ 'algorithm.clipHihg': 1 }, /algorithm\.clipHihg/],
  [{ 'algorithm.epochs': 0 }, /algorithm\.epochs/],
])('%j is no change that a config can take', (changes, sentence) => {
  const experiment = readExperiment({ ...plain, rows: [{ ...plain.rows[0], changes }] });
  expect(() => rowConfig(experiment, experiment.rows[0], 1)).toThrow(sentence);
});
