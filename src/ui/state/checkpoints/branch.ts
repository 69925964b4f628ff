/** Which settings a branch may change on the page, and the config with one of them changed. Pure. */
import type { RunConfig } from '../../../config/config';
import type { Field } from '../../../config/fields';
import type { Catalog } from '../../../config/catalog';
import { sameJson } from '../../../lib/same-json';
import { closestPreset } from '../../../config/closest-preset';
import { edited, valueAt } from '../../../config/edit';
import { readNumber } from '../setup/number-field';
import { formatSetting } from '../../base/format';
import { text } from './text';

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
export interface Way {
  readonly value: string;
  readonly title: string;
}

export function branchFields({ fields }: Catalog): readonly Field[] {
  return paths.flatMap((path) => fields.find((field) => field.path === path) ?? []);
}

/** What the field reads in a config, as it is written in the form. */
export function written(config: RunConfig, { path }: Field): string {
  const value = valueAt(config, path.split('.'));
  return typeof value === 'number' ? formatSetting(value) : String(value);
}

/** The values of a choice; of the algorithms, those that have a critic if the run's has one. Empty for a number. */
export function waysOf({ path, choices = [] }: Field, config: RunConfig, { aboutAlgorithms }: Catalog): readonly Way[] {
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
  const changed = edited(config, field.path.split('.'), read, preset, catalog.algorithms);
  return sameJson(changed, config) ? text.branch.same : changed;
}
