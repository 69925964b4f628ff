/** The results of an experiment, made by `npm run experiment`, which the page shows as a table. */
import * as v from 'valibot';
import { sum } from '../lib/mean';

/** Rows of a table: each is a line with links and a chart. */
const maxRows = 100;
const maxSeeds = 64;
/** Of all rows together: each has a link of its own. */
const maxAllSeeds = 500;
/** Different numbers of calls that are told apart. */
const maxCalls = 1024;
const maxChanges = 256;
/** Values of a curve. */
const maxIterations = 10_000;
const maxNameCharacters = 200;
const maxNames = 1000;
/** Of a heading, which the page draws whole. */
const maxTitleCharacters = 1000;
/** Of a sentence, or of a text that is a setting. */
const maxTextCharacters = 100_000;

const name = v.pipe(v.string(), v.minLength(1), v.maxLength(maxNameCharacters));
const words = v.pipe(v.string(), v.maxLength(maxTextCharacters));
/** Adapters, commits and the like. */
const names = v.pipe(v.array(name), v.maxLength(maxNames));
const curve = <Item extends v.GenericSchema>(item: Item) => v.pipe(v.array(item), v.maxLength(maxIterations));

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const finite = v.pipe(v.number(), v.finite());
const share = v.pipe(finite, v.minValue(0), v.maxValue(1));
const isoDate = v.pipe(
  v.string(),
  v.check((text) => !Number.isNaN(Date.parse(text)), 'Invalid date'),
);
/** Null where it was not measured. [iterations] */
const measuredCurve = v.optional(curve(v.nullable(finite)));
const plain = v.union([words, v.number(), v.boolean(), v.null()]);

const areDistinct = (of: readonly (number | string)[]): boolean => new Set(of).size === of.length;

/** Greedy play on the held-out tasks of a split: means over episodes. */
const MeasuredSchema = v.object({
  success: share,
  reward: finite,
  turns: finite,
  tokens: finite,
  /** Tokens of all prompts of an episode, which a model without a cache would read; absent in older files. */
  promptTokens: v.optional(finite),
  /** Tasks solved with 0, 1, 2 … tool calls that did not fail; absent in older files. */
  solvedByCalls: v.optional(v.pipe(v.array(count), v.maxLength(maxCalls))),
});

/** Results of an agent at one moment of its run. */
const MomentSchema = v.object({
  inDistribution: MeasuredSchema,
  /** Null if the environment has no such split. */
  outOfDistribution: v.nullable(MeasuredSchema),
});

/**
 * Attempts at each validation task, sampled as rollouts are: how many of them solved it. [tasks] A seed that ended
 * early has none at the end.
 */
const AttemptsSchema = v.object({
  each: count,
  warm: v.pipe(v.array(count), v.maxLength(maxIterations)),
  end: v.nullable(v.pipe(v.array(count), v.maxLength(maxIterations))),
});

const SeedSchema = v.object({
  seed: count,
  /** Null if nothing is trained. */
  start: v.nullable(MomentSchema),
  warm: v.nullable(MomentSchema),
  /** Null if the run ended before its last iteration. */
  end: v.nullable(MomentSchema),
  /** Absent where the row asks for none. */
  attempts: v.optional(AttemptsSchema),
  /** Why it ended before its last iteration: a sentence. */
  failure: v.nullable(words),
  /** Of the sampled rollouts, and of the updates; what older files lack is absent. [iterations] */
  curves: v.object({
    success: curve(share),
    turns: curve(finite),
    entropy: measuredCurve,
    kl: measuredCurve,
    clipFraction: measuredCurve,
    gradientNorm: measuredCurve,
    explainedVariance: measuredCurve,
  }),
  sampledTokens: count,
  /** Of the reinforcement alone. */
  seconds: v.pipe(finite, v.minValue(0)),
  fingerprint: curve(v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/))),
});

/** Differences of two configurations. `from` and `to` are null if one of them lacks the setting. */
const ChangesSchema = v.pipe(
  v.array(v.object({ path: name, from: plain, to: plain })),
  v.maxLength(maxChanges),
  v.check((changes) => areDistinct(changes.map(({ path }) => path)), 'Two changes of one setting'),
);

/** Over seeds. Tables compute it again (interval.ts): an interval of an older file may be too narrow. */
const IntervalSchema = v.object({ mean: finite, low: finite, high: finite });

const RowSchema = v.object({
  name,
  title: name,
  /** Published number for this row; null if unknown. */
  paper: v.nullable(share),
  /** Differences from the base of all rows. */
  changes: ChangesSchema,
  /** Optimizer steps that a run makes after its warm start; absent in older files and without such steps. */
  updates: v.optional(count),
  /** Name of the row that it is compared with, seed by seed; absent in older files. */
  reference: v.optional(name),
  /** Over the seeds that finished. */
  inDistribution: v.nullable(IntervalSchema),
  outOfDistribution: v.nullable(IntervalSchema),
  turns: v.nullable(IntervalSchema),
  seeds: v.pipe(
    v.array(SeedSchema),
    v.minLength(1),
    v.maxLength(maxSeeds),
    v.check((seeds) => areDistinct(seeds.map(({ seed }) => seed)), 'Two results of one seed'),
  ),
});

const ResultsSchema = v.object({
  format: v.literal(1),
  name,
  title: v.pipe(v.string(), v.maxLength(maxTitleCharacters)),
  question: words,
  /** What came out, in a sentence; absent in older files. */
  finding: v.optional(words),
  paper: v.nullable(v.object({ source: words, finding: words })),
  /** The preset that all rows start from, and their common differences from it. */
  base: name,
  changes: ChangesSchema,
  /** The base with these changes, a run config; large rows are named. Absent in older files. */
  config: v.optional(v.record(v.string(), v.unknown())),
  /** Held-out tasks of each split. */
  tasks: count,
  /** The meaning of out of distribution in this environment; null if it has no such split. */
  outOfDistribution: v.nullable(words),
  engineVersion: name,
  /** Every adapter and commit that computed a part. */
  adapters: names,
  commits: names,
  date: isoDate,
  command: words,
  rows: v.pipe(
    v.array(RowSchema),
    v.minLength(1),
    v.maxLength(maxRows),
    v.check((rows) => areDistinct(rows.map((row) => row.name)), 'Two rows of one name'),
    v.check((rows) => sum(rows.map(({ seeds }) => seeds.length)) <= maxAllSeeds, `More than ${maxAllSeeds} seeds`),
  ),
});

export type Measured = v.InferOutput<typeof MeasuredSchema>;
export type MeasuredMoment = v.InferOutput<typeof MomentSchema>;
export type SeedResult = v.InferOutput<typeof SeedSchema>;
export type Interval = v.InferOutput<typeof IntervalSchema>;
export type ResultRow = v.InferOutput<typeof RowSchema>;
export type Results = v.InferOutput<typeof ResultsSchema>;

/** Reads the JSON of an experiment's results. Throws a sentence that names the first part that is missing or wrong. */
export function readResults(json: unknown): Results {
  const result = v.safeParse(ResultsSchema, json);
  if (result.success) return result.output;
  const [issue] = result.issues;
  throw new Error(
    `This file is not a table of results that this version can show: ${v.getDotPath(issue) ?? 'the file'}: ` +
      `${issue.message}. Make it again with \`npm run experiment\`.`,
  );
}
