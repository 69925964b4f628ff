/** The results of an experiment, made by `npm run experiment`, which the page shows as a table. */
import * as v from 'valibot';

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const finite = v.pipe(v.number(), v.finite());
const share = v.pipe(finite, v.minValue(0), v.maxValue(1));
const isoDate = v.pipe(
  v.string(),
  v.check((text) => !Number.isNaN(Date.parse(text)), 'Invalid date'),
);
/** Null where it was not measured. [iterations] */
const measuredCurve = v.optional(v.array(v.nullable(finite)));
const plain = v.union([v.string(), v.number(), v.boolean(), v.null()]);

/** Greedy play on the held-out tasks of a split: means over episodes. */
const MeasuredSchema = v.object({
  success: share,
  reward: finite,
  turns: finite,
  tokens: finite,
  /** Tokens of all prompts of an episode, which a model without a cache would read; absent in older files. */
  promptTokens: v.optional(finite),
  /** Tasks solved with 0, 1, 2 … tool calls that did not fail; absent in older files. */
  solvedByCalls: v.optional(v.array(count)),
});

/** Results of an agent at one moment of its run. */
const MomentSchema = v.object({
  inDistribution: MeasuredSchema,
  /** Null if the environment has no such split. */
  outOfDistribution: v.nullable(MeasuredSchema),
});

const SeedSchema = v.object({
  seed: count,
  /** Null if nothing is trained. */
  start: v.nullable(MomentSchema),
  warm: v.nullable(MomentSchema),
  /** Null if the run ended before its last iteration. */
  end: v.nullable(MomentSchema),
  /** Why it ended before its last iteration: a sentence. */
  failure: v.nullable(v.string()),
  /** Of the sampled rollouts, and of the updates; what older files lack is absent. [iterations] */
  curves: v.object({
    success: v.array(share),
    turns: v.array(finite),
    entropy: measuredCurve,
    kl: measuredCurve,
    clipFraction: measuredCurve,
    gradientNorm: measuredCurve,
    explainedVariance: measuredCurve,
  }),
  sampledTokens: count,
  /** Of the reinforcement alone. */
  seconds: v.pipe(finite, v.minValue(0)),
  fingerprint: v.array(v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/))),
});

/** Differences of two configurations. `from` and `to` are null if one of them lacks the setting. */
const ChangesSchema = v.array(v.object({ path: v.string(), from: plain, to: plain }));

/** Over seeds. Tables compute it again (interval.ts): an interval of an older file may be too narrow. */
const IntervalSchema = v.object({ mean: finite, low: finite, high: finite });

const RowSchema = v.object({
  name: v.string(),
  title: v.string(),
  /** Published number for this row; null if unknown. */
  paper: v.nullable(share),
  /** Differences from the base of all rows. */
  changes: ChangesSchema,
  /** Optimizer steps that a run makes after its warm start; absent in older files and without such steps. */
  updates: v.optional(count),
  /** Name of the row that it is compared with, seed by seed; absent in older files. */
  reference: v.optional(v.string()),
  /** Over the seeds that finished. */
  inDistribution: v.nullable(IntervalSchema),
  outOfDistribution: v.nullable(IntervalSchema),
  turns: v.nullable(IntervalSchema),
  seeds: v.pipe(v.array(SeedSchema), v.minLength(1)),
});

const ResultsSchema = v.object({
  format: v.literal(1),
  name: v.string(),
  title: v.string(),
  question: v.string(),
  /** What came out, in a sentence; absent in older files. */
  finding: v.optional(v.string()),
  paper: v.nullable(v.object({ source: v.string(), finding: v.string() })),
  /** The preset that all rows start from, and their common differences from it. */
  base: v.string(),
  changes: ChangesSchema,
  /** The base with these changes, a run config; large rows are named. Absent in older files. */
  config: v.optional(v.record(v.string(), v.unknown())),
  /** Held-out tasks of each split. */
  tasks: count,
  /** The meaning of out of distribution in this environment; null if it has no such split. */
  outOfDistribution: v.nullable(v.string()),
  engineVersion: v.string(),
  /** Every adapter and commit that computed a part. */
  adapters: v.array(v.string()),
  commits: v.array(v.string()),
  date: isoDate,
  command: v.string(),
  rows: v.pipe(v.array(RowSchema), v.minLength(1)),
});

export type Measured = v.InferOutput<typeof MeasuredSchema>;
export type Moment = v.InferOutput<typeof MomentSchema>;
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
