/** A batch of runs for the queue: its runs, their names, and why it cannot be queued. Pure. */
import type { EnvironmentDescription } from '../../../agent/env';
import { maxRunName, plainText } from '../../../lib/plain-text';
import type { RunConfig } from '../../../config/config';
import type { Field } from '../../../config/fields';
import type { RunPlan } from '../../../rl/memory';
import { closestPreset } from '../../../config/closest-preset';
import { edited, pathOf } from '../../../config/edit';
import type { Catalog, PresetInfo } from '../../../config/catalog';
import type { KeptRun } from '../../../run/store/saved-run';
import { families } from '../library/compared';
import { withoutSeed } from '../library/run-names';
import { text as runs } from '../library/text';
import { readNumber, rewardRange } from '../setup/number-field';
import { firstFields, groupFields } from '../setup/setup-groups';
import type { Setup } from '../setup/setup.svelte';
import { customEnvironment } from '../setup/custom-environment';
import { text as setupText } from '../setup/text';
import { formatSetting } from '../../base/format';
import { text } from './text';

/** Runs that may wait at a time. */
export const maxQueued = 24;
const maxSeed = 2 ** 32;

export type Value = number | string | boolean;
/** What the runs of an order differ in, besides the seed. */
export type Kind = 'seeds' | 'number' | 'choice';

/** A setting that runs can differ in: one of all worlds, or an option or a reward weight of one. */
export interface Setting extends Omit<Field, 'key' | 'choices'> {
  readonly choices?: readonly Value[];
  /** Of a config that does not name it. */
  readonly standard?: Value;
}

/** What the runs of an order have in common. */
export interface Base {
  readonly name: string;
  readonly preset: PresetInfo;
  readonly config: RunConfig;
}

export interface Order {
  readonly base: Base;
  /** The setting that takes each of the values; null for runs that differ in the seed only. */
  readonly field: Setting | null;
  readonly values: readonly Value[];
  /** Of each value; without a setting, seeds that the base does not have. */
  readonly seeds: number;
}

export interface PlannedRun {
  readonly name: string;
  readonly config: RunConfig;
}

/** Settings of a kind under their headings, those without one first. */
export interface SettingGroup {
  readonly title: string;
  readonly fields: readonly Setting[];
}

/** The setup of the Lab; null before there is one. */
export function baseOfSetup(setup: Setup): Base | null {
  const here = setup.snapshot();
  return here && { ...here, name: worldName(here.preset) };
}

export function baseOfRun({ config, title, name }: KeptRun, catalog: Catalog): Base | null {
  const isBuiltIn = config.environment.source === undefined;
  const preset = isBuiltIn ? closestPreset(config, catalog.presets) : customEnvironment('saved', config, null);
  const own = withoutSeed(name);
  return preset && { preset, config, name: own || (isBuiltIn ? worldName(preset) : title) };
}

/** The options and the reward weights of a world. */
export function worldSettings({ options, rewards }: EnvironmentDescription): readonly SettingGroup[] {
  return [
    {
      title: setupText.groups.environment,
      fields: options.map(({ name, title, description, values, default: standard }) => ({
        path: `environment.options.${name}`,
        kind: 'choice',
        title,
        help: description,
        choices: values,
        standard,
      })),
    },
    {
      title: setupText.groups.rewards,
      fields: Object.entries(rewards).map(([name, { weight, description }]) => ({
        path: `rewards.${name}`,
        kind: 'number',
        title: runs.compare.reward(name),
        help: description,
        standard: weight,
        ...rewardRange,
      })),
    },
  ];
}

/**
 * A setting has one kind: numbers, or choices and switches. Seed and device are of every run.
 * @param world settings of the world of the runs
 */
export function settingsToVary(
  fields: readonly Field[],
  kind: 'number' | 'choice',
  world: readonly SettingGroup[] = [],
): readonly SettingGroup[] {
  const isNumber = (field: Setting) => field.kind === 'number' || field.kind === 'integer';
  const isOfKind = (field: Setting) => isNumber(field) === (kind === 'number');
  const offered = fields.filter((field) => field.path !== 'seed' && field.path !== 'device' && isOfKind(field));
  const groups = groupFields(offered).map(({ name, open, sections }) => ({
    title: setupText.groups[name],
    fields: [...open, ...sections.flatMap((section) => section.fields)],
  }));
  const grouped = new Set(groups.flatMap((group) => group.fields));
  const first = firstFields.flatMap((path) => offered.find((field) => field.path === path) ?? []);
  const ungrouped = offered.filter((field) => !grouped.has(field) && !first.includes(field));
  const ofWorld = world.map(({ title, fields }) => ({ title, fields: fields.filter(isOfKind) }));
  const all = [{ title: '', fields: [...first, ...ungrouped] }, ...groups, ...ofWorld];
  return all.filter((group) => group.fields.length > 0);
}

/** Numbers between commas, each once; or a sentence about the first that is none. */
export function readValues(written: string, field: Setting): readonly number[] | string {
  const values = written.split(',').map((part) => readNumber(part, field));
  const problem = values.find((value) => typeof value === 'string');
  return problem ?? [...new Set(values as number[])];
}

/**
 * One seed after another, each with all values, so that what was trained at any time can be compared.
 * @param known configs that are queued or were trained: more seeds are others than theirs
 */
export function plannedRuns(order: Order, catalog: Catalog, known: readonly RunConfig[]): readonly PlannedRun[] {
  const { base, field, values, seeds } = order;
  if (!field)
    return freeSeeds(base.config, known, seeds).map((seed) => ({
      name: nameOf(base.name, text.name.seed(seed)),
      config: { ...base.config, seed },
    }));
  // As the form of the Lab sets it: an algorithm brings its own settings.
  const withSetting = (value: Value) =>
    edited(base.config, pathOf(field.path), value, base.preset.config, catalog.algorithms);
  const configs = values.map((value) => ({ value, config: withSetting(value) }));
  return Array.from({ length: seeds }, (_, i) => (base.config.seed + i) % maxSeed).flatMap((seed) =>
    configs.map(({ value, config }) => {
      const difference = text.name.setting(field.title, formatValue(value));
      return {
        name: nameOf(base.name, seeds > 1 ? `${difference}, ${text.name.seed(seed)}` : difference),
        config: { ...config, seed },
      };
    }),
  );
}

/** Why these cannot be queued besides those that wait; null if they can. */
export function tooMany(count: number, waiting: number): string | null {
  return count + waiting > maxQueued ? text.form.tooMany(count, waiting, maxQueued) : null;
}

/** The first reason why one of them cannot be trained. Seeds make no difference. */
export async function problemOf(
  runs: readonly PlannedRun[],
  plan: (config: RunConfig) => Promise<RunPlan>,
): Promise<string | null> {
  for (const { runs: alike } of families(runs)) {
    const { problems } = await plan(alike[0].config);
    if (problems.length > 0) return text.form.cannotTrain(alike[0].name, problems[0]);
  }
  return null;
}

export function formatValue(value: Value): string {
  if (typeof value === 'boolean') return value ? text.on : text.off;
  return typeof value === 'number' ? formatSetting(value) : value;
}

/** The next seeds after the base's that no run of this setup has. */
function freeSeeds(base: RunConfig, known: readonly RunConfig[], count: number): readonly number[] {
  const alike = families([base, ...known].map((config) => ({ config })))[0].runs;
  const taken = new Set(alike.map(({ config }) => config.seed));
  const seeds: number[] = [];
  for (let seed = base.seed; seeds.length < count;) {
    seed = (seed + 1) % maxSeed;
    if (!taken.has(seed)) seeds.push(seed);
  }
  return seeds;
}

/** The beginning gives way: the end says what differs. */
const nameOf = (base: string, difference: string): string =>
  plainText(`${base.slice(0, Math.max(0, maxRunName - difference.length - 2))}, ${difference}`, maxRunName);

const worldName = ({ name, environment, config }: PresetInfo): string =>
  config.environment.source === undefined ? name : environment.title || text.name.ownWorld;
