/**
 * The sweep that the form of the queue asks for: what its runs have in common, and the one setting that they differ in,
 * or nothing but the seed.
 */
import { SvelteSet } from 'svelte/reactivity';
import type { EnvironmentDescription } from '../../../agent/env';
import { rewardTitle } from '../../../config/difference';
import type { Catalog, PresetInfo } from '../../../config/catalog';
import { closestPreset } from '../../../config/closest-preset';
import type { RunConfig } from '../../../config/config';
import { pathOf, valueAt } from '../../../config/edit';
import { formatValue, rewardRange } from '../../../config/field-value';
import type { Field } from '../../../config/fields';
import { readValues, type Base, type Setting, type Value } from '../../../config/sweep';
import { withoutSeed } from '../../../lib/run-names';
import type { KeptRun } from '../../../run/store/saved-run';
import { customEnvironment } from '../setup/custom-environment';
import { firstFields, groupFields } from '../setup/setup-groups';
import type { Setup } from '../setup/setup.svelte';
import { text as setupText } from '../setup/text';
import { text } from './text';

/** What the runs differ in, besides the seed. */
export type Kind = 'seeds' | 'number' | 'choice';

/** Settings of a kind under their headings, those without one first. */
export interface SettingGroup {
  readonly title: string;
  readonly fields: readonly Setting[];
}

export class Variation {
  kind = $state<Kind>('seeds');
  field = $state.raw<Setting | null>(null);
  /** Numbers with commas between. */
  written = $state('');
  /** The chosen ways of a choice or a switch. */
  readonly ticked = new SvelteSet<Value>();

  readonly groups = $derived.by(() =>
    this.kind === 'seeds' ? [] : settingsToVary(this.fields, this.kind, this.world),
  );
  /** All ways of the setting; empty for numbers. */
  readonly ways: readonly Value[] = $derived.by(() => {
    if (this.field?.kind === 'flag') return [true, false];
    return this.field?.choices ?? [];
  });
  /** Or a sentence: why there are none. */
  readonly values: readonly Value[] | string = $derived.by(() => {
    if (!this.field) return [];
    if (this.kind === 'number') return readValues(this.written, this.field);
    const chosen = this.ways.filter((way) => this.ticked.has(way));
    return chosen.length > 0 ? chosen : text.form.noWay;
  });

  constructor(
    private readonly config: RunConfig,
    private readonly fields: readonly Field[],
    private readonly world: readonly SettingGroup[] = [],
  ) {}

  choose(kind: Kind): void {
    this.kind = kind;
    this.vary(this.groups[0]?.fields[0]?.path ?? null);
  }

  /** Begins with the value of the base; of a choice or a switch, with another one, too. */
  vary(path: string | null): void {
    this.field = this.groups.flatMap(({ fields }) => fields).find((field) => field.path === path) ?? null;
    const now = ((this.field && valueAt(this.config, pathOf(this.field.path))) ?? this.field?.standard) as Value;
    this.written = this.kind === 'number' ? formatValue(now) : '';
    this.ticked.clear();
    const other = this.ways.find((way) => way !== now);
    for (const way of other === undefined ? [] : [now, other]) this.ticked.add(way);
  }

  tick(way: Value, on: boolean): void {
    if (on) this.ticked.add(way);
    else this.ticked.delete(way);
  }
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
        title: rewardTitle(name),
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

const worldName = ({ name, environment, config }: PresetInfo): string =>
  config.environment.source === undefined ? name : environment.title || text.ownWorld;
