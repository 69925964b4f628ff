/** The settings in which configs differ, by the names that the setup has for them. */
import { expect, test } from 'vitest';
import type { RunConfig } from '../../src/config/config';
import { changeWords, configDiff } from '../../src/config/difference';
import { valueAt, withValue } from '../../src/config/edit';
import { configFields } from '../../src/config/fields';
import { presetByName } from '../../src/config/presets';

const { config } = presetByName('calculator-mini');

test('every field that differs is named, as the setup names it', () => {
  const fields = configFields();
  const other = fields.reduce<RunConfig>((made, { path, kind, choices }) => {
    const now = valueAt(made, path.split('.'));
    const next =
      kind === 'flag' ? !now : kind === 'choice' ? choices!.find((choice) => choice !== now) : Number(now ?? 0) + 1;
    return withValue(made, path.split('.'), next);
  }, config);
  const diff = configDiff([config, other], fields);
  expect(diff.map(({ title }) => title)).toEqual(fields.map(({ title }) => title));
});

test('worlds, their options, code and reward weights are named, too', () => {
  const changed: RunConfig = {
    ...config,
    environment: { ...config.environment, name: 'mine', options: { digits: 2 }, source: 'export default 1' },
    rewards: { correct: 2 },
  };
  const base = { ...config, environment: { ...config.environment, options: { digits: 1 } }, rewards: { correct: 1 } };
  const titles = configDiff([base, changed], configFields()).map(({ title }) => title);
  expect(titles.sort()).toEqual([
    'Code of the world',
    'Option of the world: digits',
    'Reward weight: correct',
    'World',
  ]);
  const rates = [config, { ...config, optimizer: { ...config.optimizer, learningRate: 2e-4 } }];
  expect(changeWords(configDiff(rates, configFields()))).toBe('Learning rate 6e-4 → 2e-4');
});
