/** The settings that a branch may change one of, and the config with one of them changed. Pure. */
import type { Catalog } from './catalog';
import { closestPreset } from './closest-preset';
import type { RunConfig } from './config';
import { edited, valueAt } from './edit';
import { formatValue, readNumber } from './field-value';
import type { Field } from './fields';

/** The few whose effect is seen; a checkpoint fits any of their values. */
const paths = [
  'optimizer.learningRate',
  'algorithm.name',
  'algorithm.klCoefficient',
  'algorithm.clipLow',
  'algorithm.clipHigh',
  'algorithm.entropyCoefficient',
  'algorithm.epochs',
  'rollout.temperature',
  'rollout.tasks',
  'rollout.group',
  'filter.strategy',
  'seed',
  'iterations',
];

/** A value that a field can have, and its name. */
export interface Choice {
  readonly value: string;
  readonly title: string;
}

export function branchFields({ fields }: Catalog): readonly Field[] {
  return paths.flatMap((path) => fields.find((field) => field.path === path) ?? []);
}

/** What the field reads in a config, as it is written in the form. */
export const written = (config: RunConfig, { path }: Field): string =>
  formatValue(valueAt(config, path.split('.')) as number | string);

/** The values of a choice; of the algorithms, those that have a critic if the run's has one. Empty for a number. */
export function choicesOf(
  { path, choices = [] }: Field,
  config: RunConfig,
  { aboutAlgorithms }: Catalog,
): readonly Choice[] {
  if (path !== 'algorithm.name') return choices.map((value) => ({ value, title: value }));
  const needsCritic = (name: string) => aboutAlgorithms[name as keyof typeof aboutAlgorithms].kind === 'critic';
  return Object.entries(aboutAlgorithms)
    .filter(([name]) => needsCritic(name) === needsCritic(config.algorithm.name))
    .map(([value, { title }]) => ({ value, title }));
}

/** The config with the field changed, or a sentence: why there is none. An algorithm brings its own settings. */
export function changedConfig(config: RunConfig, field: Field, value: string, catalog: Catalog): RunConfig | string {
  const read = field.kind === 'choice' ? value : readNumber(value, field);
  if (field.kind !== 'choice' && typeof read === 'string') return read;
  const isBuiltIn = config.environment.source === undefined;
  const preset = (isBuiltIn && closestPreset(config, catalog.presets)?.config) || config;
  return edited(config, field.path.split('.'), read, preset, catalog.algorithms);
}
