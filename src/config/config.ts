/**
 * RunConfig: everything a run needs, as plain JSON. Same engine, config, seed and device give the same bits. Units and
 * ranges stand here only: the schema validates files and links and builds the page's form. What each field means is in
 * fields.ts.
 */
import * as v from 'valibot';
import { contextRules } from '../agent/context';
import { maxCodeBytes, maxRowsBytes } from '../lib/text-caps';
import { fuelLimits } from '../agent/sandbox';
import { deviceChoices } from '../device/choice';
import { familyNames } from '../model/family-names';
import { limitRanges } from '../lib/proposed-limits';
import { plainText, quoted } from '../lib/plain-text';
import { isSafeName, maxNames, nameWords } from '../lib/safe-name';
import { tokenizerKinds } from '../text/tokenizer';
import { toolFormatNames } from '../text/tool-formats/by-name';
import { algorithmSchema, criticSchema, filterSchema, mistakesSchema, shapingSchema } from './algorithm-schema';
import { choice, flag, integer, number } from './entries';
import { pretrainedSchema } from './pretrained-schema';
import { roundsProblem } from './rounds';

export const RunConfigSchema = v.strictObject({
  environment: v.strictObject({
    name: v.pipe(v.string(), v.regex(/^[a-z][a-z0-9-]{0,31}$/)),
    options: v.record(v.string(), v.union([v.pipe(v.string(), v.maxLength(64)), v.pipe(v.number(), v.finite())])),
    /** JavaScript of an environment that is not built in. */
    source: v.optional(v.pipe(v.string(), v.maxBytes(maxCodeBytes))),
    /** JSON lines that tasks are made from. */
    rows: v.optional(v.pipe(v.string(), v.maxBytes(maxRowsBytes))),
    /** Instead of rows that are not here: their number, `-` and the SHA-256 of their file. */
    rowsDigest: v.optional(v.pipe(v.string(), v.regex(/^[1-9]\d{0,6}-[0-9a-f]{64}$/))),
  }),
  seed: integer(0, 4294967295, 'Seed'),
  device: choice(deviceChoices, 'Device', { default: 'auto' }),
  iterations: integer(1, 10000, 'Iterations', { key: 'steps' }),
  model: v.strictObject({
    /** Absent: the first family. */
    family: v.optional(v.picklist(familyNames)),
    /** Absent: a model from nothing, whose sizes the other fields are. */
    pretrained: v.optional(pretrainedSchema),
    layers: integer(1, 12, 'Layers'),
    width: integer(16, 512, 'Width'),
    heads: integer(1, 16, 'Heads'),
    kvHeads: integer(1, 16, 'Key/value heads', { key: 'kv' }),
    mlp: choice(['swiglu', 'gelu'], 'MLP'),
    mlpWidth: integer(16, 2048, 'MLP width', { key: 'ff' }),
    tied: flag('Tied head'),
    context: integer(...limitRanges.context, 'Context', { unit: 'tokens' }),
  }),
  text: v.strictObject({
    tokenizer: choice(tokenizerKinds, 'Tokenizer', { key: 'tok' }),
    /** Number of merged tokens, BPE only. */
    vocabulary: integer(264, 8192, 'BPE vocabulary', { key: 'vocab', unit: 'tokens' }),
    toolFormat: choice(toolFormatNames, 'Tool-call format', { key: 'format' }),
  }),
  warmStart: v.strictObject({
    demonstrations: integer(0, 100000, 'Demonstrations', { key: 'demos' }),
    steps: integer(0, 10000, 'Warm-start steps', { key: 'warm' }),
    batch: integer(1, 1024, 'Warm-start batch', { key: 'warmBatch' }),
    learningRate: number(1e-6, 0.1, 'Warm-start learning rate', { key: 'warmLr', scale: 'log' }),
    recorded: flag('Recorded warm start', { default: false }),
    /** JSON lines of rounds that a person played, to imitate beside the demonstrations. */
    rounds: v.optional(v.string()),
  }),
  algorithm: algorithmSchema,
  critic: criticSchema,
  shaping: shapingSchema,
  filter: filterSchema,
  mistakes: mistakesSchema,
  context: v.optional(
    v.strictObject({
      rule: choice(contextRules, 'Context rule', { key: 'ctx', default: 'auto' }),
      exchanges: integer(1, 64, 'Exchanges kept', { key: 'ctxExchanges', default: 2 }),
      budget: integer(16, 1024, 'Summary budget', { key: 'ctxBudget', unit: 'tokens', default: 64 }),
    }),
    {},
  ),
  rollout: v.strictObject({
    tasks: integer(1, 512, 'Tasks'),
    group: integer(1, 64, 'Group size'),
    temperature: number(0.05, 5, 'Temperature', { key: 'temp' }),
    topK: integer(0, 8192, 'Top-k'),
    topP: number(0.01, 1, 'Top-p'),
    maxTurns: integer(...limitRanges.turns, 'Turns', { key: 'turns' }),
    maxTokens: integer(...limitRanges.tokens, 'Tokens a turn', { key: 'tokens', unit: 'tokens' }),
    seeded: choice(['all', 'tasks', 'sampling', 'mini-batches', 'none'], 'Seed decides', { default: 'all' }),
    flip: integer(0, 10000, 'Flip in iteration', { default: 0 }),
    callFuel: integer(1_000_000, fuelLimits.request, 'Fuel a call', { key: 'fuel', scale: 'log' }),
  }),
  optimizer: v.strictObject({
    learningRate: number(1e-7, 0.1, 'Learning rate', { key: 'lr', scale: 'log' }),
    schedule: choice(['constant', 'linear', 'cosine'], 'Schedule', { key: 'decay' }),
    span: integer(0, 10000, 'Falls over', { default: 0 }),
    warmup: integer(0, 1000, 'Warm-up'),
    beta1: number(0, 0.9999, 'β₁', { key: 'b1' }),
    beta2: number(0, 0.99999, 'β₂', { key: 'b2' }),
    weightDecay: number(0, 1, 'Weight decay', { key: 'wd' }),
    fresh: flag('Fresh moments', { default: false }),
    gradientClip: number(0.001, 1000, 'Gradient clip', { key: 'clip' }),
  }),
  /** Weight of each named reward term of the environment. */
  rewards: v.record(v.string(), v.pipe(v.number(), v.finite(), v.minValue(-10), v.maxValue(10))),
  evaluation: v.strictObject({
    tasks: integer(1, 4096, 'Validation tasks', { key: 'evalTasks' }),
    every: integer(1, 1000, 'Validate every', { key: 'evalEvery' }),
  }),
});

export type RunConfig = v.InferOutput<typeof RunConfigSchema>;
/** A config as in a file: fields with defaults may be missing. */
export type RunConfigInput = v.InferInput<typeof RunConfigSchema>;

/** Names of rewards and options that cannot be keys, or are too many. Valibot drops some of them and takes others. */
function nameProblems(value: unknown): string[] {
  const { environment, rewards } = Object(value) as { readonly environment?: unknown; readonly rewards?: unknown };
  const { options } = Object(environment) as { readonly options?: unknown };
  return Object.entries({ 'environment.options': options, rewards }).flatMap(([path, record]) => {
    const names = Object.keys(Object(record) as object);
    if (names.length > maxNames) return [`${path}: there are ${names.length} names, and ${maxNames} are the most.`];
    const unsafe = names.filter((name) => !isSafeName(name));
    return unsafe.map((name) => `${path}: ${quoted(name)} cannot be a name: ${nameWords}.`);
  });
}

/** Problems in a config, one sentence each: where, what was wrong, what is allowed. Empty when it is valid. */
export function configProblems(value: unknown): string[] {
  const misnamed = nameProblems(value);
  if (misnamed.length > 0) return misnamed;
  const result = v.safeParse(RunConfigSchema, value);
  if (!result.success)
    return result.issues.map((issue) => plainText(`${v.getDotPath(issue) ?? 'config'}: ${issue.message}`, 300));
  const { environment, model, warmStart, rollout, algorithm, shaping } = result.output;
  const problems: string[] = [];
  const misplayed = roundsProblem(warmStart.rounds);
  if (misplayed !== null) problems.push(`warmStart.rounds: ${misplayed}`);
  if (environment.rows !== undefined && environment.rowsDigest !== undefined)
    problems.push('environment.rowsDigest: it names rows that are not here, and environment.rows has some; give one.');
  if (model.width % model.heads !== 0)
    problems.push(`model.width: ${model.width} does not divide by ${model.heads} heads; choose a multiple.`);
  else if ((model.width / model.heads) % 4 !== 0 || model.width / model.heads > 64)
    problems.push(`model.heads: the head size ${model.width / model.heads} must be a multiple of 4, at most 64.`);
  if (model.heads % model.kvHeads !== 0)
    problems.push(`model.kvHeads: ${model.heads} heads do not divide by ${model.kvHeads} key/value heads.`);
  if (model.mlpWidth % 4 !== 0) problems.push(`model.mlpWidth: ${model.mlpWidth} must be a multiple of 4.`);
  if (rollout.maxTokens >= model.context)
    problems.push(
      `rollout.maxTokens: ${rollout.maxTokens} leaves no room for a prompt in a context of ${model.context} tokens.`,
    );
  if (shaping.process === 'per-source' && algorithm.name !== 'rloo')
    problems.push(
      `shaping.process: only rloo compares process rewards per source; ` +
        `${algorithm.name} takes them as given or scaled.`,
    );
  if (algorithm.klTarget > 0 && algorithm.klCoefficient === 0)
    problems.push(
      'algorithm.klTarget: a coefficient of 0 stays 0 whatever the KL is; ' +
        'set algorithm.klCoefficient above 0, or the target to 0.',
    );
  return problems;
}

/** What to know before a valid config is run, one sentence each. */
export function configNotices({ rollout }: RunConfig): string[] {
  if (rollout.topK === 0 && rollout.topP === 1) return [];
  return [
    'Top-k and top-p change what is sampled, but training takes log-probs of the whole softmax, ' +
      'so its gradient is biased. Neither clip fraction nor KL shows it.',
  ];
}

/** The config with the defaults of settings that are newer than it; one that is not valid stays as it is. */
export function withDefaults(config: RunConfig): RunConfig {
  const result = v.safeParse(RunConfigSchema, config);
  return result.success ? result.output : config;
}

/** A valid config, or an Error whose message lists every problem on a line of its own. */
export function parseConfig(value: unknown): RunConfig {
  const problems = configProblems(value);
  if (problems.length > 0) throw new Error(`This run config cannot be used:\n${problems.join('\n')}`);
  return v.parse(RunConfigSchema, value);
}
