/**
 * RunConfig: everything a run needs, as plain JSON. Same engine, config, seed and device give the same bits. Units and
 * ranges stand here only: the schema validates files and links and builds the page's form.
 */
import * as v from 'valibot';
import { fuelLimits } from '../../agent/sandbox';
import { plainText } from '../../lib/plain-text';
import { toolFormatNames } from '../../text/tool-formats/by-name';
import { algorithmSchema, criticSchema, filterSchema, mistakesSchema, shapingSchema } from './algorithm-schema';
import { choice, flag, integer, number } from './entries';

export const RunConfigSchema = v.strictObject({
  environment: v.strictObject({
    name: v.pipe(
      v.string(),
      v.regex(/^[a-z][a-z0-9-]{0,31}$/),
      v.metadata({
        key: 'env',
        title: 'Environment',
        help: 'Name of a built-in environment, or of the one in the link.',
      }),
    ),
    options: v.record(
      v.pipe(v.string(), v.maxLength(32)),
      v.union([v.pipe(v.string(), v.maxLength(64)), v.pipe(v.number(), v.finite())]),
    ),
    /** JavaScript of an environment that is not built in. */
    source: v.optional(v.pipe(v.string(), v.maxLength(65536))),
  }),
  seed: integer(0, 4294967295, { title: 'Seed', help: 'Same seed, same device: same run, bit for bit.' }),
  iterations: integer(1, 10000, {
    key: 'steps',
    title: 'Iterations',
    help: 'RL iterations: each samples rollouts once and learns from them.',
  }),
  model: v.strictObject({
    layers: integer(1, 12, { title: 'Layers', help: 'Transformer blocks (L).' }),
    width: integer(16, 512, { title: 'Width', help: 'Size of the residual stream (D).' }),
    heads: integer(1, 16, { title: 'Heads', help: 'Query heads (H); width must divide by them.' }),
    kvHeads: integer(1, 16, {
      key: 'kv',
      title: 'Key/value heads',
      help: 'Grouped-query attention (Hk); heads must divide by them.',
    }),
    mlp: choice(['swiglu', 'gelu'], { title: 'MLP', help: 'Activation of the feed-forward part.' }),
    mlpWidth: integer(16, 2048, { key: 'ff', title: 'MLP width', help: 'Hidden size of the feed-forward part (F).' }),
    tied: flag({ title: 'Tied head', help: 'The output head shares the token embedding.' }),
    context: integer(32, 1024, { title: 'Context', help: 'Longest episode the model can see.', unit: 'tokens' }),
  }),
  text: v.strictObject({
    tokenizer: choice(['character', 'word', 'byte', 'bpe'], {
      key: 'tok',
      title: 'Tokenizer',
      help: 'Characters of the environment, its whole words, bytes, or byte-pair encoding trained on its text.',
    }),
    /** Number of merged tokens, BPE only. */
    vocabulary: integer(264, 8192, {
      key: 'vocab',
      title: 'BPE vocabulary',
      help: 'Vocabulary size when the tokenizer is BPE.',
      unit: 'tokens',
    }),
    toolFormat: choice(toolFormatNames, {
      key: 'format',
      title: 'Tool-call format',
      help: 'How the agent writes a call: one special token, or Hermes JSON.',
    }),
  }),
  warmStart: v.strictObject({
    demonstrations: integer(0, 100000, {
      key: 'demos',
      title: 'Demonstrations',
      help: 'Scripted episodes to imitate first; 0 starts from random weights.',
    }),
    steps: integer(0, 10000, {
      key: 'warm',
      title: 'Warm-start steps',
      help: 'Cross-entropy steps before reinforcement begins.',
    }),
    batch: integer(1, 1024, { key: 'warmBatch', title: 'Warm-start batch', help: 'Demonstrations a step.' }),
    learningRate: number(1e-6, 0.1, {
      key: 'warmLr',
      title: 'Warm-start learning rate',
      help: 'Peak AdamW rate of the warm start.',
      scale: 'log',
    }),
    recorded: flag({
      title: 'Recorded warm start',
      help: 'Begin from the preset’s recorded weights if environment, model, text and warm start are the preset’s. Off: imitate here.',
      default: false,
    }),
  }),
  algorithm: algorithmSchema,
  critic: criticSchema,
  shaping: shapingSchema,
  filter: filterSchema,
  mistakes: mistakesSchema,
  rollout: v.strictObject({
    tasks: integer(1, 512, { title: 'Tasks', help: 'Different tasks an iteration.' }),
    group: integer(1, 64, { title: 'Group size', help: 'Rollouts of each task; advantages compare them.' }),
    temperature: number(0.05, 5, { key: 'temp', title: 'Temperature', help: 'Sampling temperature of rollouts.' }),
    topK: integer(0, 8192, { title: 'Top-k', help: 'Sample from the k likeliest tokens; 0 is all.' }),
    topP: number(0.01, 1, { title: 'Top-p', help: 'Sample from the likeliest tokens that hold this share; 1 is all.' }),
    maxTurns: integer(1, 64, { key: 'turns', title: 'Turns', help: 'Most steps an episode may take.' }),
    maxTokens: integer(1, 512, { key: 'tokens', title: 'Tokens a turn', help: 'Longest action.', unit: 'tokens' }),
    callFuel: integer(1_000_000, fuelLimits.request, {
      key: 'fuel',
      title: 'Fuel a call',
      help: 'Work after which a tool call or a reward is stopped, the same on every machine: about 20 a turn of a loop.',
      scale: 'log',
    }),
  }),
  optimizer: v.strictObject({
    learningRate: number(1e-7, 0.1, {
      key: 'lr',
      title: 'Learning rate',
      help: 'Peak AdamW rate of reinforcement.',
      scale: 'log',
    }),
    schedule: choice(['constant', 'linear', 'cosine'], {
      key: 'decay',
      title: 'Schedule',
      help: 'How the rate falls to a tenth over the run.',
    }),
    span: integer(0, 10000, {
      title: 'Falls over',
      help: 'Iterations after which the rate stays at a tenth. 0: the whole run.',
      default: 0,
    }),
    warmup: integer(0, 1000, { title: 'Warm-up', help: 'Iterations over which the rate rises from 0.' }),
    beta1: number(0, 0.9999, { key: 'b1', title: 'β₁', help: 'Decay of the first moment.' }),
    beta2: number(0, 0.99999, { key: 'b2', title: 'β₂', help: 'Decay of the second moment.' }),
    weightDecay: number(0, 1, { key: 'wd', title: 'Weight decay', help: 'Decoupled; matrices only.' }),
    fresh: flag({
      title: 'Fresh moments',
      help: 'Reinforcement begins with empty AdamW moments. Off: it keeps those of the warm start, and small losses move slowly at first.',
      default: false,
    }),
    gradientClip: number(0.001, 1000, {
      key: 'clip',
      title: 'Gradient clip',
      help: 'Largest norm of the whole gradient.',
    }),
  }),
  /** Weight of each named reward term of the environment. */
  rewards: v.record(
    v.pipe(v.string(), v.maxLength(32)),
    number(-10, 10, { key: 'reward', title: 'Reward weight', help: 'Factor on this reward term.' }),
  ),
  evaluation: v.strictObject({
    tasks: integer(1, 4096, {
      key: 'evalTasks',
      title: 'Validation tasks',
      help: 'Fixed held-out tasks, answered greedily.',
    }),
    every: integer(1, 1000, {
      key: 'evalEvery',
      title: 'Validate every',
      help: 'Iterations between validations; the first and the last are always validated.',
    }),
  }),
});

export type RunConfig = v.InferOutput<typeof RunConfigSchema>;
/** A config as in a file: fields with defaults may be missing. */
export type RunConfigInput = v.InferInput<typeof RunConfigSchema>;

/** Problems in a config, one sentence each: where, what was wrong, what is allowed. Empty when it is valid. */
export function configProblems(value: unknown): string[] {
  const result = v.safeParse(RunConfigSchema, value);
  if (!result.success)
    return result.issues.map((issue) => plainText(`${v.getDotPath(issue) ?? 'config'}: ${issue.message}`, 300));
  const { model, rollout, algorithm, shaping } = result.output;
  const problems: string[] = [];
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
      `shaping.process: only rloo compares process rewards per source; ${algorithm.name} takes them as given or scaled.`,
    );
  return problems;
}

/** A valid config, or an Error whose message lists every problem on a line of its own. */
export function parseConfig(value: unknown): RunConfig {
  const problems = configProblems(value);
  if (problems.length > 0) throw new Error(`This run config cannot be used:\n${problems.join('\n')}`);
  return v.parse(RunConfigSchema, value);
}
