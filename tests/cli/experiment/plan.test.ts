import { describe, expect, test } from 'vitest';
import {
  baseConfig,
  configChanges,
  readExperiment,
  rowConfig,
  seedsOf,
  updatesOf,
} from '../../../src/cli/experiment/plan';
import { experiment as bandit } from '../../../src/cli/experiments/bandit';
import { experiment as masks } from '../../../src/cli/experiments/masks';
import { experiment as methods } from '../../../src/cli/experiments/methods';
import { algorithmNames } from '../../../src/algorithms/table';
import { presetByName } from '../../../src/config/presets';

const { config: preset } = presetByName('bandit');
const plain = {
  name: 'a',
  title: 'A',
  question: '?',
  base: 'bandit',
  rows: [{ name: 'x', title: 'X', kind: 'train' as const }],
};

test('every experiment that is built in makes valid configs, and no two of its rows the same', () => {
  for (const file of [bandit, methods, masks]) {
    const experiment = readExperiment(file);
    const trained = experiment.rows
      .filter(({ kind }) => kind === 'train')
      .map((row) => JSON.stringify(rowConfig(experiment, presetByName(experiment.base).config, row, 1)));
    expect(new Set(trained).size, experiment.name).toBe(trained.length);
  }
});

test('rows of a comparison make equally many updates', () => {
  for (const file of [bandit, methods, masks]) {
    const experiment = readExperiment(file);
    const { config } = presetByName(experiment.base);
    for (const row of experiment.rows.filter(({ kind }) => kind === 'train'))
      expect(updatesOf(rowConfig(experiment, config, row, 1)), `${experiment.name}: ${row.name}`).toBe(
        2 * baseConfig(experiment, config).iterations,
      );
  }
});

test('masks differ in λ, length and masks alone, and each row is compared with both masks at its length', () => {
  const { rows } = readExperiment(masks);
  const changed = new Set(rows.flatMap(({ changes }) => Object.keys(changes)));
  const constant = [...changed].filter((path) => new Set(rows.map(({ changes }) => changes[path])).size === 1);
  expect(constant).toEqual(['critic.network']);
  expect([...changed].sort()).toEqual([
    'algorithm.advantageMask',
    'algorithm.lambda',
    'critic.network',
    'critic.onResults',
    'environment.options.words',
    'model.context',
  ]);
  for (const row of rows) {
    const reference = rows.find(({ name }) => name === row.reference)!;
    for (const path of ['environment.options.words', 'model.context'])
      expect(reference.changes[path], row.name).toBe(row.changes[path]);
    expect(reference.changes['algorithm.advantageMask']).toBeUndefined();
  }
});

test('the bandit takes every algorithm there is', () => {
  expect(bandit.rows!.flatMap(({ algorithm }) => algorithm ?? []).sort()).toEqual([...algorithmNames()].sort());
});

test('a row is its base with its algorithm’s settings, then its own changes; the seed is no difference', () => {
  const experiment = readExperiment({
    ...plain,
    changes: { iterations: 3 },
    rows: [{ ...plain.rows[0], algorithm: 'dr-grpo', changes: { 'algorithm.lossMask': false } }],
  });
  const config = rowConfig(experiment, preset, experiment.rows[0], 7);
  expect(config).toMatchObject({
    seed: 7,
    iterations: 3,
    algorithm: { name: 'dr-grpo', lossMask: false, normalizeStd: false },
  });
  const changes = configChanges(baseConfig(experiment, preset), config);
  expect(changes).toContainEqual({ path: 'algorithm.name', from: 'grpo', to: 'dr-grpo' });
  expect(changes).toContainEqual({ path: 'algorithm.lossMask', from: true, to: false });
  expect(changes.map(({ path }) => path)).not.toContain('seed');
  expect(configChanges(preset, baseConfig(experiment, preset))).toEqual([
    { path: 'iterations', from: preset.iterations, to: 3 },
  ]);
});

test('a grid is every combination of its values, by a path or a key, for each row that trains', () => {
  const grid = { lr: [1e-3, 3e-4], 'rollout.group': [4, 8] };
  const { rows: _, ...bare } = plain;
  const experiment = readExperiment({ ...bare, grid });
  expect(experiment.rows.map(({ name }) => name)).toEqual([
    'lr-0-001-group-4',
    'lr-0-001-group-8',
    'lr-0-0003-group-4',
    'lr-0-0003-group-8',
  ]);
  expect(experiment.rows[2].title).toBe('lr 0.0003, rollout.group 4');
  expect(rowConfig(experiment, preset, experiment.rows[2], 1)).toEqual({
    ...preset,
    optimizer: { ...preset.optimizer, learningRate: 3e-4 },
    rollout: { ...preset.rollout, group: 4 },
  });
  const rows = [
    { name: 'oracle', title: 'Oracle', kind: 'script' as const, policy: 'oracle' },
    { name: 'grpo', title: 'GRPO', kind: 'train' as const },
  ];
  const both = readExperiment({ ...plain, rows, grid: { 'algorithm.name': ['grpo', 'reinforce-pp-baseline'] } });
  expect(both.rows.map(({ title }) => title)).toEqual([
    'Oracle',
    'GRPO, algorithm.name grpo',
    'GRPO, algorithm.name reinforce-pp-baseline',
  ]);
  for (const { name } of both.rows) expect(name).toMatch(/^[a-z][a-z0-9-]{0,31}$/);
});

test('a row is compared with the one it names, else with the experiment’s, else with the first that trains', () => {
  const rows = ['x', 'y', 'z'].map((name, i) => ({
    name,
    title: name,
    kind: i === 0 ? ('imitate' as const) : ('train' as const),
  }));
  const references = (file: object) =>
    readExperiment({ ...plain, rows, ...file }).rows.map(({ reference }) => reference);
  expect(references({})).toEqual(['y', 'y', 'y']);
  expect(references({ reference: 'z' })).toEqual(['z', 'z', 'z']);
  expect(references({ rows: [rows[0], { ...rows[1], reference: 'x' }] })).toEqual(['y', 'x']);
  expect(() => references({ reference: 'w' })).toThrow('there is no row w to compare x with');
});

test('seeds are those asked for, else the file’s, else three from the base’s', () => {
  const { seeds: _, ...bare } = readExperiment(plain);
  expect(seedsOf(bare, 5)).toEqual([5, 6, 7]);
  expect(seedsOf({ ...bare, seeds: 2 }, 5)).toEqual([5, 6]);
  expect(seedsOf({ ...bare, seeds: [3, 9] }, 5)).toEqual([3, 9]);
  expect(seedsOf({ ...bare, seeds: [3, 9] }, 5, 1)).toEqual([5]);
});

test.each([
  [{ ...plain, rows: undefined }, /it has neither rows nor a grid/],
  [{ ...plain, grid: { lr: [] } }, /grid\.lr: /],
  [{ ...plain, base: undefined }, /not an experiment: base: /],
  [{ ...plain, rows: [] }, /not an experiment: rows: /],
  [{ ...plain, rows: [plain.rows[0], plain.rows[0]] }, /two of its rows are called x/],
  [{ ...plain, rows: [{ ...plain.rows[0], kind: 'script' }] }, /x must name a policy/],
  [{ ...plain, rows: [{ ...plain.rows[0], algorithm: 'magic' }] }, /rows\.0\.algorithm: /],
])('%j is refused', (value, sentence) => {
  expect(() => readExperiment(value)).toThrow(sentence);
});

test.each([
  [
    { 'algorithms.clipHigh': 1 },
    /The row x: there is no setting called "algorithms\.clipHigh"\. Did you mean algorithm\.clipHigh\?/,
  ],
  [{ 'algorithm.clipHihg': 1 }, /Did you mean algorithm\.clipHigh\?/],
  [{ 'algorithm.epochs': 0 }, /algorithm\.epochs/],
])('%j is no change that a config can take', (changes, sentence) => {
  const experiment = readExperiment({ ...plain, rows: [{ ...plain.rows[0], changes }] });
  expect(() => rowConfig(experiment, preset, experiment.rows[0], 1)).toThrow(sentence);
});

describe('more rows or runs than anyone waits for are refused before they are built', () => {
  const fields = ['lr', 'wd', 'temp', 'clip', 'rollout.group'];
  const wide = Object.fromEntries(fields.map((field) => [field, Array.from({ length: 25 }, (_, i) => i)]));
  const row = { name: 'one', title: 'One', kind: 'train' as const };

  test.each<[string, object, string]>([
    ['a grid of 5 × 25 values', { rows: undefined, grid: wide }, 'it has 9,765,625 rows'],
    ['the same for two rows', { rows: [row, { ...row, name: 'two' }], grid: wide }, 'it has 19,531,250 rows'],
    [
      'a thousand and one rows',
      { rows: Array.from({ length: 1001 }, (_, i) => ({ ...row, name: `r${i}` })) },
      'it has 1,001 rows',
    ],
  ])('%s', (_, part, sentence) => {
    const startMs = performance.now();
    expect(() => readExperiment({ ...plain, ...part })).toThrow(sentence);
    expect(performance.now() - startMs).toBeLessThan(2000);
  });

  test('rows × seeds, of the file and of the command line', () => {
    const experiment = readExperiment({ ...plain, seeds: 1_000_000_000 });
    expect(() => seedsOf(experiment, 1)).toThrow('are more than 10,000 runs: ask for fewer seeds or rows.');
    expect(() => seedsOf(readExperiment({ ...plain, seeds: 2 }), 1, 1_000_000_000)).toThrow(
      'are more than 10,000 runs',
    );
  });
});
