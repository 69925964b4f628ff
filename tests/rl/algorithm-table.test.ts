/** One entry of the table is a whole algorithm: whatever lists algorithms or estimators has it. */
import { readFileSync } from 'node:fs';
import { afterEach, expect, test, vi } from 'vitest';
import type { Algorithm } from '../../src/algorithms/algorithm';
import { grpo } from '../../src/algorithms/grpo';
import { algorithms } from '../../src/algorithms/table';
import { drawBatch } from '../helpers/episodes';

const half: Algorithm = {
  ...grpo,
  title: 'Half of GRPO',
  defaults: { algorithm: { clipLow: 0.1 } },
  columns: [{ name: 'Half', short: 'half', formula: 'GRPO / 2', about: 'Half of what GRPO says.', kind: 'group' }],
  estimate(input, settings) {
    const { advantages } = grpo.estimate(input, settings);
    return { advantages: advantages.map((steps) => steps.map((step) => step.map((value) => value / 2))) };
  },
};

// Other test files share the loaded modules: they are loaded anew with the entry, and once more without it.
afterEach(() => void vi.resetModules());

test('an algorithm added to the table is in the config, the catalogue, the comparison and the experiment', async () => {
  const titles = Object.values(algorithms).map(({ title }) => title);
  vi.resetModules();
  Object.assign((await import('../../src/algorithms/table')).algorithms, { half });
  const { configFields } = await import('../../src/config/fields');
  const { configProblems } = await import('../../src/config/config');
  const { configFromScalars } = await import('../../src/config/scalars');
  const { presetByName } = await import('../../src/config/presets');
  const { allDefaults } = await import('../../src/config/with-algorithm');
  const { compareDefaults, compareEstimators, ownColumn } = await import('../../src/algorithms/compare');
  const { experiment } = await import('../../src/cli/experiments/bandit');
  const { experiment: methods } = await import('../../src/cli/experiments/methods');

  const { config, notices } = configFromScalars({ algo: 'half' }, presetByName('bandit').config);
  expect(notices).toEqual([]);
  expect(configProblems(config)).toEqual([]);
  expect(config.algorithm).toMatchObject({ name: 'half', clipLow: 0.1, clipHigh: 0.2 });

  expect(configFields().find(({ key }) => key === 'algo')!.choices).toContain('half');
  expect(Object.entries(allDefaults())).toContainEqual([
    'half',
    expect.objectContaining({ optimizer: { fresh: true } }),
  ]);

  const columns = compareEstimators(drawBatch(1), compareDefaults);
  const first = (short: string) => columns.find((column) => column.short === short)!.advantages![0][0][0];
  expect(first('half')).toBe(first('GRPO') / 2);
  expect(columns).toContainEqual(expect.objectContaining({ short: 'half', about: 'Half of what GRPO says.' }));
  expect(ownColumn(config.algorithm.name, compareDefaults)).toBe('half');

  expect(experiment.rows!.flatMap(({ algorithm, title }) => (algorithm ? [title] : []))).toEqual([
    ...titles,
    half.title,
  ]);
  expect(methods.rows!.map(({ title }) => title)).toContain(half.title);
});

test('the tables of methods compare every algorithm that is no variant of one of them', async () => {
  const { comparedAlgorithms } = await import('../../src/cli/experiment/algorithm-row');
  const compared = comparedAlgorithms.map((name) => algorithms[name].title);
  expect(compared).toEqual(['GRPO', 'GSPO', 'GiGPO', 'RLOO', 'REINFORCE', 'REINFORCE++', 'PPO', 'StepPO']);
  for (const { title, variantOf } of Object.values(algorithms))
    if (!compared.includes(title)) expect(compared, title).toContain(variantOf);
});

test('the README lists every algorithm by its title', () => {
  const readme = readFileSync(new URL('../../README.md', import.meta.url), 'utf8').replace(/\s+/g, ' ');
  const titles = Object.values(algorithms).map(({ title }) => title);
  expect(readme).toContain(titles.join(', '));
});
