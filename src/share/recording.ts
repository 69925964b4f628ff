/** A recorded run, made by `npm run record`: the page replays it before Train is pressed and without WebGPU. */
import * as v from 'valibot';

/** The JSON of a recording. */
export interface Recording<Config = unknown, Metrics = unknown, Rollout = unknown> {
  readonly format: 1;
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
  readonly metrics: readonly Metrics[];
  /** Whole groups with differing rewards, of some iterations; the most different first. */
  readonly rollouts: readonly Rollout[];
  /** Number of groups of each iteration. Absent in recordings of earlier versions. */
  readonly groups?: number;
  /** One unseen task before and after reinforcement, greedily. Absent if none went from unsolved to solved. */
  readonly beforeAfter?: { readonly before: Rollout; readonly after: Rollout };
}

const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const record = v.looseObject({});

/** The frame of a recording; what `rl` owns inside it is only known to be objects. */
const RecordingSchema = v.object({
  format: v.literal(1),
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
  metrics: v.pipe(v.array(record), v.minLength(1)),
  rollouts: v.array(record),
  groups: v.optional(count),
  beforeAfter: v.optional(v.object({ before: record, after: record })),
});

/** Reads the JSON of a recording. Throws a sentence that names the first part that is missing or wrong. */
export function readRecording<Config, Metrics, Rollout>(json: unknown): Recording<Config, Metrics, Rollout> {
  const result = v.safeParse(RecordingSchema, json);
  if (result.success) return result.output as unknown as Recording<Config, Metrics, Rollout>;
  const [issue] = result.issues;
  throw new Error(
    `This file is not a recording that this version can play: ${v.getDotPath(issue) ?? 'the file'}: ` +
      `${issue.message}. Record it again with \`npm run record\`.`,
  );
}
