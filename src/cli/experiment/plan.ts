/**
 * An experiment as a file has it, and what it makes of its base: one configuration a row and seed, each with its differences in words.
 * Runs nothing.
 */
import * as v from 'valibot';
import { algorithms, withAlgorithm } from '../../rl/algorithms/by-name';
import { algorithmNames } from '../../rl/config-algorithm';
import { parseConfig, type RunConfig } from '../../rl/config';
import { presetByName } from '../../rl/presets';
import type { ResultRow } from '../../share/results';

const name = v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,31}$/, 'a name has small letters, digits and - only'));
/** Dotted path of a config → its new value. */
const changes = v.record(v.string(), v.union([v.string(), v.number(), v.boolean()]));

const RowSchema = v.strictObject({
  name,
  title: v.string(),
  /** `train` is a whole run, `imitate` its warm start alone, `script` a policy that the environment brings. */
  kind: v.picklist(['train', 'imitate', 'script']),
  /** Algorithm of a `train` row, with its own settings; the base's if there is none. */
  algorithm: v.optional(v.picklist(algorithmNames)),
  changes: v.optional(changes, {}),
  /** Name of a scripted policy. */
  policy: v.optional(v.string()),
  /** The paper's number for this row, 0 … 1. */
  paper: v.optional(v.number()),
});

const ExperimentSchema = v.strictObject({
  name,
  title: v.string(),
  question: v.string(),
  paper: v.optional(v.strictObject({ source: v.string(), finding: v.string() })),
  /** A preset, and how every row differs from it. */
  base: v.string(),
  changes: v.optional(changes, {}),
  rows: v.pipe(v.array(RowSchema), v.minLength(1)),
});

export type Experiment = v.InferOutput<typeof ExperimentSchema>;
/** As a file has it: what may be left out may be missing. */
export type ExperimentFile = v.InferInput<typeof ExperimentSchema>;
export type ExperimentRow = Experiment['rows'][number];

/** @throws a sentence that names the first thing that is wrong */
export function readExperiment(value: unknown): Experiment {
  const result = v.safeParse(ExperimentSchema, value);
  if (!result.success) {
    const [issue] = result.issues;
    throw new Error(`This is not an experiment: ${v.getDotPath(issue) ?? 'the file'}: ${issue.message}.`);
  }
  const { rows } = result.output;
  const twice = rows.find((row, i) => rows.findIndex((other) => other.name === row.name) !== i);
  if (twice) throw new Error(`This is not an experiment: two of its rows are called ${twice.name}.`);
  const mute = rows.find(({ kind, policy }) => (kind === 'script') !== (policy !== undefined));
  if (mute) throw new Error(`This is not an experiment: ${mute.name} must name a policy if it is a script, and none otherwise.`);
  return result.output;
}

/** What all rows start from. Throws a sentence if there is no such preset or a change cannot be made. */
export function baseConfig({ base, changes }: Experiment): RunConfig {
  return parseConfig(withChanges(presetByName(base).config, changes, 'The experiment'));
}

/** The configuration of a row. Throws a sentence if it cannot be run. */
export function rowConfig(experiment: Experiment, row: ExperimentRow, seed: number): RunConfig {
  const base = { ...baseConfig(experiment), seed };
  return parseConfig(withChanges(row.algorithm ? withAlgorithm(base, row.algorithm) : base, row.changes, `The row ${row.name}`));
}

/** A row's settings that the base has not, or has otherwise; the seed is none of them. */
export function configChanges(base: RunConfig, config: RunConfig): ResultRow['changes'] {
  const [from, to] = [scalars({ ...base, seed: 0 }), scalars({ ...config, seed: 0 })];
  return [...new Set([...from.keys(), ...to.keys()])]
    .filter((path) => from.get(path) !== to.get(path))
    .map((path) => ({ path, from: from.get(path) ?? null, to: to.get(path) ?? null }));
}

/** Whether a run of this config has a critic that it reads. */
export function hasCritic({ algorithm }: RunConfig): boolean {
  return algorithms[algorithm.name].critic !== null;
}

type Scalar = string | number | boolean;

function scalars(value: object, prefix = ''): Map<string, Scalar> {
  return new Map(
    Object.entries(value).flatMap(([key, inner]: [string, unknown]): [string, Scalar][] => {
      if (typeof inner === 'object' && inner !== null) return [...scalars(inner, `${prefix}${key}.`)];
      return inner === undefined ? [] : [[prefix + key, inner as Scalar]];
    }),
  );
}

function withChanges(config: RunConfig, changes: Readonly<Record<string, Scalar>>, who: string): unknown {
  const changed = structuredClone(config) as unknown as Record<string, unknown>;
  for (const [path, value] of Object.entries(changes)) {
    const keys = path.split('.');
    const last = keys.pop()!;
    let place: unknown = changed;
    for (const key of keys) place = typeof place === 'object' && place !== null ? (place as Record<string, unknown>)[key] : undefined;
    if (typeof place !== 'object' || place === null) throw new Error(`${who} changes ${path}, but a config has no such setting.`);
    (place as Record<string, unknown>)[last] = value;
  }
  return changed;
}
