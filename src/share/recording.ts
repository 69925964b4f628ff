/** A recorded run, made by `npm run record`: the page replays it before Train is pressed and without WebGPU. */
import * as v from 'valibot';
import { claimOf, claimProblem } from './claim';
import { unpackRecording, type RecordingFile } from './recording-file';

/** Greedy success on held-out tasks, 0 … 1, and means of the reward's terms. */
export type HeldOutSuccess = Readonly<v.InferOutput<typeof HeldOutSchema>>;

export interface Recording<Config = unknown, Metrics = unknown, Rollout = unknown> {
  readonly engineVersion: string;
  readonly preset: string;
  readonly config: Config;
  readonly adapter: string;
  /** ISO date of the run. */
  readonly date: string;
  readonly command: string;
  readonly seconds: number;
  readonly vocabulary: readonly string[];
  readonly specialTokens: readonly number[];
  readonly parameters: number;
  readonly fingerprint: readonly string[];
  /** Greedy success on so many tasks of each split. Absent in files of engines before 0.9. */
  readonly heldOut?: { readonly tasks: number; readonly warmStart: HeldOutSuccess; readonly end: HeldOutSuccess };
  readonly metrics: readonly Metrics[];
  /** Whole groups with differing rewards, of some iterations; the most different first. */
  readonly rollouts: readonly Rollout[];
  /** Number of groups of each iteration. */
  readonly groups: number;
  /**
   * Greedy answers to unseen tasks. [tasks][checkpoints]: after the warm start, halfway, at the end. First the task
   * that reinforcement brought from unsolved to solved, if there is one.
   */
  readonly answers: readonly (readonly Rollout[])[];
}

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const record = v.looseObject({});
const share = v.pipe(v.number(), v.minValue(0), v.maxValue(1));

const TermsSchema = v.record(v.string(), v.pipe(v.number(), v.finite()));
const HeldOutSchema = v.object({
  validation: share,
  /** On the tasks that the environment says are out of distribution; null if it has none. */
  outOfDistribution: v.nullable(share),
  /** Mean over the tasks of each split. Absent in older files. */
  rewardTerms: v.optional(v.object({ validation: TermsSchema, outOfDistribution: v.nullable(TermsSchema) })),
});

const FileSchema = v.object({ format: v.literal(2), keys: v.array(v.array(v.string())), parts: v.array(v.unknown()) });

/** The frame of a recording; what `rl` owns inside it is only known to be objects. */
const FrameSchema = v.object({
  engineVersion: v.string(),
  preset: v.string(),
  config: record,
  adapter: v.string(),
  date: v.pipe(
    v.string(),
    v.check((text) => !Number.isNaN(Date.parse(text)), 'Invalid date'),
  ),
  command: v.string(),
  seconds: v.pipe(v.number(), v.finite(), v.minValue(0)),
  vocabulary: v.array(v.string()),
  specialTokens: v.array(count),
  parameters: count,
  fingerprint: v.array(v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/))),
  heldOut: v.optional(v.object({ tasks: count, warmStart: HeldOutSchema, end: HeldOutSchema })),
  metrics: v.pipe(v.array(record), v.minLength(1)),
  rollouts: v.array(record),
  groups: count,
  answers: v.array(v.array(record)),
});

const ScheduleSchema = v.looseObject({ iterations: count, evaluation: v.looseObject({ every: count }) });
const ValidatedSchema = v.array(v.looseObject({ iteration: count, validationSuccess: v.nullable(v.number()) }));

const RecordingSchema = v.pipe(
  FrameSchema,
  v.check(
    ({ config, metrics, fingerprint }) =>
      !v.is(ScheduleSchema, config) ||
      !v.is(ValidatedSchema, metrics) ||
      claimProblem(config, claimOf(metrics, fingerprint)) === null,
    'Its results cannot be of its settings',
  ),
);

/** Reads the JSON of a recording's file. Throws a sentence that names the first part that is missing or wrong. */
export function readRecording<Config, Metrics, Rollout>(json: unknown): Recording<Config, Metrics, Rollout> {
  const file = v.safeParse(FileSchema, json);
  const result = file.success ? v.safeParse(RecordingSchema, unpackRecording(json as RecordingFile)) : file;
  if (result.success) return result.output as unknown as Recording<Config, Metrics, Rollout>;
  const [issue] = result.issues;
  throw new Error(
    `This file is not a recording that this version can play: ${v.getDotPath(issue) ?? 'the file'}: ` +
      `${issue.message}. Record it again with \`npm run record\`.`,
  );
}
