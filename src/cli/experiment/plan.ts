/** Reads an experiment's file and makes one configuration of its base for each row and seed. */
import { createHash } from 'node:crypto';
import * as v from 'valibot';
import { leaves } from '../../lib/leaves';
import { algorithmNames, algorithms } from '../../algorithms/table';
import { withAlgorithm } from '../../config/with-algorithm';
import { parseConfig, type RunConfig } from '../../config/config';
import type { ResultRow } from '../../share/results';
import { setting, withSettings } from '../settings';

const name = v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,31}$/, 'a name has small letters, digits and - only'));
/** A field of a config by its path or key → its new value. */
const scalar = v.union([v.string(), v.number(), v.boolean()]);
const changes = v.record(v.string(), scalar);

const RowSchema = v.strictObject({
  name,
  title: v.string(),
  /**
   * `train` is a whole run, `imitate` its warm start alone, `imitate-successful` the same from demonstrations that
   * succeed, `best-of-8` the warm start where a task counts as solved if one of 8 sampled attempts solves it,
   * `expert-iteration` imitates its own successes instead of reinforcing, `script` is a policy of the environment.
   */
  kind: v.picklist(['train', 'imitate', 'imitate-successful', 'best-of-8', 'expert-iteration', 'script']),
  /** Algorithm of a `train` row, with its default settings; default: the base's. */
  algorithm: v.optional(v.picklist(algorithmNames())),
  changes: v.optional(changes, {}),
  /** Name of a scripted policy. */
  policy: v.optional(v.string()),
  /** Sampled attempts at each validation task, after the warm start and at the end: counts of the solved ones. */
  attempts: v.optional(v.pipe(v.number(), v.integer(), v.minValue(2), v.maxValue(1024))),
  /** Published number for this row, 0 … 1. */
  paper: v.optional(v.number()),
  /** Name of the row that it is compared with, seed by seed; default: the experiment's. */
  reference: v.optional(v.string()),
});

const ExperimentSchema = v.strictObject({
  name,
  title: v.string(),
  question: v.string(),
  /** What came out, in a sentence; written once the table is there. */
  finding: v.optional(v.string()),
  paper: v.optional(v.strictObject({ source: v.string(), finding: v.string() })),
  /** A preset, an environment's module, a file of settings (both beside the experiment's file) or a link. */
  base: v.string(),
  changes: v.optional(changes, {}),
  /** Each row that trains runs once for every combination of these values. */
  grid: v.optional(v.record(v.string(), v.pipe(v.array(scalar), v.minLength(1)))),
  /** Their number, counted from the base's seed, or a list. */
  seeds: v.optional(
    v.union([
      v.pipe(v.number(), v.integer(), v.minValue(1)),
      v.pipe(v.array(v.pipe(v.number(), v.integer())), v.minLength(1)),
    ]),
  ),
  /** Name of the row that others are compared with, seed by seed; default: the first that trains. */
  reference: v.optional(v.string()),
  /** Default with a grid: one row that trains. */
  rows: v.optional(v.pipe(v.array(RowSchema), v.minLength(1))),
});

/** With the grid's rows written out. */
export type Experiment = Omit<v.InferOutput<typeof ExperimentSchema>, 'rows' | 'grid'> & {
  readonly rows: readonly ExperimentRow[];
};
/** The file's form, with optional parts missing. */
export type ExperimentFile = v.InferInput<typeof ExperimentSchema>;
export type ExperimentRow = v.InferOutput<typeof RowSchema>;

/** @throws a sentence that names the first thing that is wrong */
export function readExperiment(value: unknown): Experiment {
  const result = v.safeParse(ExperimentSchema, value);
  if (!result.success) {
    const [issue] = result.issues;
    throw new Error(`This is not an experiment: ${v.getDotPath(issue) ?? 'the file'}: ${issue.message}.`);
  }
  const { rows: written, grid, ...rest } = result.output;
  if (!written && !grid) throw new Error('This is not an experiment: it has neither rows nor a grid.');
  requireFewRows(written ?? [whole], grid ?? {});
  const rows = (written ?? [whole]).flatMap((row) =>
    grid && row.kind === 'train' ? gridRows(row, grid, written !== undefined) : [row],
  );
  const twice = rows.find((row, i) => rows.findIndex((other) => other.name === row.name) !== i);
  if (twice) throw new Error(`This is not an experiment: two of its rows are called ${twice.name}.`);
  const mute = rows.find(({ kind, policy }) => (kind === 'script') !== (policy !== undefined));
  if (mute)
    throw new Error(
      `This is not an experiment: ${mute.name} must name a policy if it is a script, and none otherwise.`,
    );
  const reference = rest.reference ?? rows.find(({ kind }) => kind === 'train')?.name;
  const compared = rows.map((row) => ({ ...row, reference: row.reference ?? reference }));
  const lost = compared.find((row) => row.reference && !rows.some(({ name }) => name === row.reference));
  if (lost)
    throw new Error(`This is not an experiment: there is no row ${lost.reference!} to compare ${lost.name} with.`);
  return { ...rest, rows: compared };
}

/** The row of a grid without rows. */
const whole: ExperimentRow = { name: 'train', title: 'Train', kind: 'train', changes: {} };

/** A table of more rows is read by nobody, and a run of each of more seeds takes months. */
const maxRows = 1000;
const maxRuns = 10_000;

/** @throws a sentence, before the rows of a grid are built */
function requireFewRows(rows: readonly ExperimentRow[], grid: Readonly<Record<string, readonly Scalar[]>>): void {
  const points = Object.values(grid).reduce((product, { length }) => product * length, 1);
  const count = rows.reduce((sum, { kind }) => sum + (kind === 'train' ? points : 1), 0);
  if (count > maxRows)
    throw new Error(
      `This is not an experiment: it has ${count.toLocaleString('en')} rows, a grid's combinations counted, and ` +
        `${maxRows.toLocaleString('en')} is the most. Try fewer values or fewer fields.`,
    );
}

/** The row for each combination of the grid's values, named after them and after its own name if it has one. */
function gridRows(
  row: ExperimentRow,
  grid: Readonly<Record<string, readonly Scalar[]>>,
  isWritten: boolean,
): ExperimentRow[] {
  const points = Object.entries(grid).reduce<Record<string, Scalar>[]>(
    (before, [path, values]) => before.flatMap((point) => values.map((value) => ({ ...point, [path]: value }))),
    [{}],
  );
  return points.map((point) => {
    const values = Object.entries(point).map(([path, value]) => `${path} ${String(value)}`);
    const title = [...(isWritten ? [row.title] : []), ...values].join(', ');
    const words = [
      ...(isWritten ? [row.name] : []),
      ...Object.entries(point).map(([path, value]) => `${path.split('.').at(-1)!}-${value}`),
    ];
    return { ...row, title, name: shortName(words.join('-')), changes: { ...row.changes, ...point } };
  });
}

/** At most 32 small letters, digits and -; a longer name ends in a digest. */
function shortName(text: string): string {
  const name = text.toLowerCase().replace(/[^a-z0-9]+/g, '-');
  return name.length <= 32
    ? name
    : `${name.slice(0, 23)}-${createHash('sha256').update(text).digest('hex').slice(0, 8)}`;
}

/** The seeds of the command line, else of the file, else three. @throws a sentence if they make too many runs */
export function seedsOf({ seeds = 3, rows }: Experiment, first: number, asked?: number): readonly number[] {
  const count = asked ?? (typeof seeds === 'number' ? seeds : seeds.length);
  if (count * rows.length > maxRuns)
    throw new Error(
      `${rows.length} rows with ${count} seeds each are more than ${maxRuns.toLocaleString('en')} runs: ` +
        'ask for fewer seeds or rows.',
    );
  if (asked === undefined && typeof seeds !== 'number') return seeds;
  return Array.from({ length: asked ?? (seeds as number) }, (_, i) => first + i);
}

/** The base with the changes of all rows. @throws a sentence */
export function baseConfig({ changes }: Experiment, base: RunConfig): RunConfig {
  return parseConfig(withSettings(base, settings(changes, 'The experiment')));
}

/** The configuration of a row. @throws a sentence if it cannot run */
export function rowConfig(experiment: Experiment, base: RunConfig, row: ExperimentRow, seed: number): RunConfig {
  const config = { ...baseConfig(experiment, base), seed };
  return parseConfig(
    withSettings(
      row.algorithm ? withAlgorithm(config, row.algorithm) : config,
      settings(row.changes, `The row ${row.name}`),
    ),
  );
}

const settings = (changes: Readonly<Record<string, Scalar>>, where: string) =>
  Object.entries(changes).map(([name, value]) => setting(name, value, where));

/** A row's settings that differ from the base's, except the seed. */
export function configChanges(base: RunConfig, config: RunConfig): ResultRow['changes'] {
  const [from, to] = [leaves({ ...base, seed: 0 }), leaves({ ...config, seed: 0 })];
  return [...new Set([...from.keys(), ...to.keys()])]
    .filter((path) => from.get(path) !== to.get(path))
    .map((path) => ({ path, from: from.get(path) ?? null, to: to.get(path) ?? null }));
}

/** Optimizer steps of a run after its warm start. */
export function updatesOf({ iterations, algorithm }: RunConfig): number {
  return iterations * algorithm.epochs * algorithm.miniBatches;
}

/** Whether a run of this config uses a critic. */
export function hasCritic({ algorithm }: RunConfig): boolean {
  return algorithms[algorithm.name].critic !== undefined;
}

type Scalar = string | number | boolean;
