/** A sweep: the configs that it expands to, their names, and why it cannot be trained. Pure. */
import { maxRunName, plainText } from '../lib/plain-text';
import { sameJson } from '../lib/same-json';
import type { Catalog, PresetInfo } from './catalog';
import type { RunConfig } from './config';
import { edited, pathOf } from './edit';
import { formatValue, readNumber } from './field-value';
import type { Field } from './fields';

/** Seeds are unsigned, of 32 bits. */
const seedCount = 0x1_0000_0000;

export type Value = number | string | boolean;

/** A setting that runs can differ in: one of all worlds, or an option or a reward weight of one. */
export interface Setting extends Omit<Field, 'key' | 'choices'> {
  readonly choices?: readonly Value[];
  /** Of a config that does not name it. */
  readonly standard?: Value;
}

/** What the runs of a sweep have in common. */
export interface Base {
  readonly name: string;
  readonly preset: PresetInfo;
  readonly config: RunConfig;
}

export interface Sweep {
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

/** Runs that differ in their seed only. */
export interface Family<T> {
  readonly runs: readonly T[];
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
export function plannedRuns(sweep: Sweep, catalog: Catalog, known: readonly RunConfig[]): readonly PlannedRun[] {
  const { base, field, values, seeds } = sweep;
  if (!field)
    return freeSeeds(base.config, known, seeds).map((seed) => ({
      name: nameOf(base.name, `seed ${seed}`),
      config: { ...base.config, seed },
    }));
  // As the form of the Lab sets it: an algorithm brings its own settings.
  const withSetting = (value: Value) =>
    edited(base.config, pathOf(field.path), value, base.preset.config, catalog.algorithms);
  const configs = values.map((value) => ({ value, config: withSetting(value) }));
  return Array.from({ length: seeds }, (_, i) => (base.config.seed + i) % seedCount).flatMap((seed) =>
    configs.map(({ value, config }) => {
      const difference = `${within(field.title)} ${formatValue(value)}`;
      return {
        name: nameOf(base.name, seeds > 1 ? `${difference}, seed ${seed}` : difference),
        config: { ...config, seed },
      };
    }),
  );
}

/** The first of them that cannot be trained, and the reason. Seeds make no difference. */
export async function firstProblem(
  runs: readonly PlannedRun[],
  plan: (config: RunConfig) => Promise<{ readonly problems: readonly string[] }>,
): Promise<{ readonly name: string; readonly problem: string } | null> {
  for (const { runs: alike } of families(runs)) {
    const { problems } = await plan(alike[0].config);
    if (problems.length > 0) return { name: alike[0].name, problem: problems[0] };
  }
  return null;
}

export function families<T extends { readonly config: RunConfig }>(runs: readonly T[]): readonly Family<T>[] {
  const found: { runs: T[] }[] = [];
  for (const run of runs) {
    const known = found.find((each) => differInSeedOnly(each.runs[0].config, run.config));
    if (known) known.runs.push(run);
    else found.push({ runs: [run] });
  }
  return found;
}

export const differInSeedOnly = (a: RunConfig, b: RunConfig): boolean =>
  sameJson({ ...a, seed: null }, { ...b, seed: null });

/** The next seeds after the base's that no run of this setup has. */
function freeSeeds(base: RunConfig, known: readonly RunConfig[], count: number): readonly number[] {
  const taken = new Set([base, ...known.filter((config) => differInSeedOnly(config, base))].map(({ seed }) => seed));
  const seeds: number[] = [];
  for (let seed = base.seed; seeds.length < count;) {
    seed = (seed + 1) % seedCount;
    if (!taken.has(seed)) seeds.push(seed);
  }
  return seeds;
}

/** The beginning gives way: the end says what differs. */
const nameOf = (base: string, difference: string): string =>
  plainText(`${base.slice(0, Math.max(0, maxRunName - difference.length - 2))}, ${difference}`, maxRunName);

/** `Learning rate` within a name; `KL coefficient` stays. */
const within = (title: string): string =>
  /^\p{Lu}\p{Ll}/u.test(title) ? title[0].toLowerCase() + title.slice(1) : title;
