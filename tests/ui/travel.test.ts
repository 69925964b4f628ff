/** Branches on the page: which settings they may change, and the config with one of them changed. */
import { expect, test } from 'vitest';
import { requireBranch } from '../../src/config/branch';
import { presetByName } from '../../src/config/presets';
import { withAlgorithm } from '../../src/config/with-algorithm';
import type { Field } from '../../src/config/fields';
import { branchFields, changedConfig, choicesOf, written } from '../../src/config/branch-fields';
import { text } from '../../src/ui/state/checkpoints/text';
import { catalogOf } from '../helpers/catalog';

const catalog = catalogOf('calculator');
const { config } = presetByName('calculator');
const fields = branchFields(catalog);
const field = (path: string): Field => fields.find((each) => each.path === path)!;

test('every setting that is offered is one of the catalog, and a checkpoint fits another value of it', () => {
  expect(fields.length).toBeGreaterThan(8);
  for (const each of fields) {
    const before = written(config, each);
    const [other] = choicesOf(each, config, catalog).filter(({ value }) => value !== before);
    const value = other?.value ?? String(each.kind === 'integer' ? 15 : each.max! / 2);
    const changed = changedConfig(config, each, value, catalog);
    expect(typeof changed, `${each.path} ${value}`).toBe('object');
    if (typeof changed === 'object') requireBranch(config, changed, 8);
  }
});

test('the run’s own value and a value out of range are refused with a sentence', () => {
  const rate = field('optimizer.learningRate');
  expect(changedConfig(config, rate, written(config, rate), catalog)).toEqual(config);
  expect(changedConfig(config, rate, '7', catalog)).toContain('Learning rate');
  expect(changedConfig(config, rate, '', catalog)).toContain('Learning rate');
  expect(changedConfig(config, rate, '1e-4', catalog)).toEqual({
    ...config,
    optimizer: { ...config.optimizer, learningRate: 1e-4 },
  });
});

test('algorithms are offered by their titles: with a critic if the run has one, else without', () => {
  const titles = (of: typeof config) => choicesOf(field('algorithm.name'), of, catalog).map(({ title }) => title);
  expect(titles(config)).toEqual(expect.arrayContaining(['GRPO', 'RLOO', 'REINFORCE++']));
  expect(titles(config)).not.toContain('PPO');
  expect(titles(withAlgorithm(config, 'ppo'))).toContain('PPO');
  expect(titles(withAlgorithm(config, 'ppo'))).not.toContain('GRPO');
});

test('answers are told by their step and how many they solve', () => {
  const then = { step: 0, solved: 1, of: 3 };
  const now = { step: 16, solved: 3, of: 3 };
  expect(text.solved(then, now)).toBe('Agent before iteration 1 solves 1 of 3 tasks, that of iteration 16 solves 3.');
  expect(text.solved(now, now)).toBe('Agent of iteration 16 is the newest that is kept. It solves 3 of 3 tasks.');
});
