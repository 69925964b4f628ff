/**
 * What this browser has stored of runs, as far as it can be used. Another version, or another page of the origin, may
 * have written it: a value of another shape is left out or refused in a sentence, and texts become plain lines.
 */
import * as v from 'valibot';
import { maxRunName, plainText } from '../../lib/plain-text';
import { withDefaults, type RunConfig } from '../../config/config';
import { titleOfRun } from '../../config/run-title';
import type { Metrics } from '../../rl/report';
import type { RolloutView } from '../../rl/rollouts/view';
import { claimProblem } from '../../share/claim';
import { hasConfigShape } from '../../share/config-shape';
import type { HistoryState } from '../history';
import type { KeptRun, RunLabel, RunRecord, SavedRun } from './saved-run';
import type { RunSnapshot } from './run-snapshot';
import type { SameTasks } from '../same-tasks';

const maxNote = 2000;
const maxTitle = 80;
const maxDevice = 120;
/** The last day of the calendar of JavaScript. */
const maxTimeMs = 8.64e15;

/** Measured ones may be infinite or NaN; charts leave these out. */
const number = v.custom<number>((value) => typeof value === 'number');
const count = v.pipe(v.number(), v.integer(), v.minValue(0));
const numbers = v.custom<ArrayLike<number>>(
  (value) =>
    (Array.isArray(value) && value.every((each) => typeof each === 'number')) ||
    (ArrayBuffer.isView(value) && !(value instanceof DataView)),
);
const line = (max: number) =>
  v.pipe(
    v.string(),
    v.transform((text) => plainText(text, max)),
  );
/** What may be absent is left out where it has another shape. */
const maybe = <S extends v.GenericSchema>(schema: S) => v.fallback(v.optional(schema), undefined);

const entryId = v.pipe(v.string(), v.minLength(1));

export const headSchema = v.looseObject({
  run: v.looseObject({ id: entryId }),
  serial: count,
  digest: v.string(),
});
export const cardSchema = v.looseObject({ id: entryId });
export const labelSchema = v.object({
  id: entryId,
  name: v.fallback(line(maxRunName), ''),
  note: v.fallback(
    v.pipe(
      v.string(),
      v.transform((text) => text.slice(0, maxNote).toWellFormed()),
    ),
    '',
  ),
  deleted: v.fallback(v.boolean(), false),
});

const runSchema = v.looseObject({
  id: entryId,
  config: v.custom<RunConfig>(hasConfigShape),
  title: line(maxTitle),
  savedAtMs: v.pipe(v.number(), v.minValue(0), v.maxValue(maxTimeMs)),
  iteration: count,
  warmSteps: count,
  finished: v.boolean(),
  fingerprint: maybe(v.array(v.pipe(v.string(), v.regex(/^[0-9a-f]{16}$/)))),
  engineVersion: maybe(line(maxTitle)),
  adapter: maybe(line(maxDevice)),
  parent: maybe(v.string()),
  configChanges: maybe(v.array(count)),
});
const shareOfAll = v.pipe(v.number(), v.minValue(0), v.maxValue(1));
const keptSchema = v.looseObject({
  ...runSchema.entries,
  curve: v.fallback(v.array(shareOfAll), []),
  validation: v.fallback(v.nullable(shareOfAll), null),
  unseen: maybe(v.array(v.object({ iteration: count, success: shareOfAll }))),
});

const named = v.record(v.string(), number);
const maybeNumber = v.nullish(number);
/** Null where the policy learned from no token, or nothing was validated; absent in records of earlier versions. */
const measured = ['validationSuccess', 'kl', 'clipFraction', 'policyLoss', 'gradientNorm', 'toolCallSuccess'];
const counted = [
  'rewardMean',
  'rewardStd',
  'zeroSignalGroups',
  'entropy',
  'turns',
  'responseLength',
  'truncated',
  'environmentFailures',
  'sampledTokens',
  'skippedUpdates',
  'learningRate',
  'trainedTokens',
  'sampleTokensPerSecond',
  'trainTokensPerSecond',
  'sampleMs',
  'environmentMs',
  'trainMs',
  'evaluateMs',
];
const diagnosticsSchema = v.looseObject({
  partNorms: v.nullish(named),
  critic: v.nullish(v.record(v.string(), maybeNumber)),
  information: v.nullish(v.record(v.string(), v.unknown())),
});
const metricsSchema = v.looseObject({
  iteration: v.pipe(count, v.minValue(1)),
  success: number,
  validationSuccess: v.optional(v.nullable(number), null),
  ...Object.fromEntries(measured.slice(1).map((name) => [name, maybeNumber])),
  ...Object.fromEntries(counted.map((name) => [name, v.optional(number, 0)])),
  rewardTerms: v.optional(named, {}),
  killed: v.optional(named, {}),
  successByTag: maybe(named),
  validationByTag: maybe(named),
  diagnostics: maybe(diagnosticsSchema),
});

const imageSchema = v.looseObject({ width: count, height: count, pixels: v.string() });
const callSchema = v.looseObject({ name: v.string(), result: v.string(), image: v.optional(imageSchema) });
const messageSchema = v.looseObject({
  role: v.picklist(['system', 'user', 'assistant', 'tool']),
  content: v.string(),
  images: v.optional(v.array(imageSchema)),
});
const stepSchema = v.looseObject({
  promptTokens: numbers,
  tokens: numbers,
  logProbs: numbers,
  entropies: numbers,
  advantages: numbers,
  lossMask: numbers,
  continues: v.boolean(),
  text: v.string(),
  messages: v.array(messageSchema),
  toolCalls: v.array(callSchema),
  rewards: named,
});
const rolloutSchema = v.looseObject({
  iteration: count,
  index: count,
  group: number,
  reward: number,
  advantage: number,
  taskId: v.string(),
  prompt: v.string(),
  success: v.boolean(),
  end: v.string(),
  steps: v.array(stepSchema),
});

/** The values that fit, as they were. */
export const fitting = <S extends v.GenericSchema>(schema: S, values: unknown): v.InferOutput<S>[] =>
  Array.isArray(values) ? values.flatMap((each) => (v.is(schema, each) ? [each as v.InferOutput<S>] : [])) : [];

/** A label, or null. */
export function shownLabel(value: unknown): (RunLabel & { readonly id: string }) | null {
  const result = v.safeParse(labelSchema, value);
  return result.success ? result.output : null;
}

/** A run that a page can list, or null. */
export function shownRun<T extends SavedRun | Omit<KeptRun, 'here'>>(run: T): T | null {
  const result = v.safeParse('curve' in run ? keptSchema : runSchema, run);
  if (!result.success) return null;
  // Earlier versions saved the title of the environment, which two presets may share.
  const title = titleOfRun(result.output.config, result.output.title);
  const shown = { ...run, ...result.output, config: withDefaults(result.output.config), title };
  const { config, iteration: reached, fingerprint = null } = shown;
  return claimProblem(config, { validation: null, reached, fingerprint }) === null ? shown : null;
}

/** @throws a sentence if its metrics cannot be read; rollouts that cannot are left out */
export function shownRecord({ metrics, rollouts }: Partial<RunRecord>): RunRecord {
  return { metrics: shownMetrics(metrics), rollouts: shownRollouts(rollouts) };
}

/** The same of what a run that goes on has shown so far. */
export function shownSnapshot({ checkpoint, history }: RunSnapshot): RunSnapshot {
  const { metrics, rollouts, samples, warmLosses, curve, sameTasks } = (history ?? {}) as Partial<HistoryState>;
  const losses = v.looseObject({ step: count, loss: number });
  const sample = v.looseObject({ iteration: count, rollouts: v.array(rolloutSchema) });
  if (!v.is(v.array(number), curve)) throw new Error(unreadable);
  return {
    checkpoint,
    history: {
      metrics: shownMetrics(metrics),
      rollouts: shownRollouts(rollouts),
      curve,
      ...(samples && { samples: fitting(sample, samples) as unknown as HistoryState['samples'] }),
      warmLosses: fitting(losses, warmLosses),
      ...(sameTasks && { sameTasks: fitting(v.array(rolloutSchema), sameTasks) as unknown as SameTasks }),
    },
  };
}

const unreadable =
  'What this browser has kept of this run cannot be read: another version may have written it. Delete the run, or ' +
  'train it again from its setup.';

function shownMetrics(values: unknown): readonly Metrics[] {
  const result = v.safeParse(v.array(metricsSchema), values);
  const rows = result.success ? (result.output as unknown as Metrics[]) : null;
  if (rows?.every(({ iteration }, i) => i === 0 || iteration > rows[i - 1].iteration)) return rows;
  throw new Error(unreadable);
}

const shownRollouts = (values: unknown) => fitting(rolloutSchema, values) as unknown as readonly RolloutView[];
