/**
 * RunConfig: everything a run needs, as plain JSON, and all that a link carries. Same engine, config, seed and device
 * give the same bits. Each field says its unit and range here and nowhere else: the schema validates files and links
 * and builds the form in the page.
 */
import * as v from 'valibot';
import { fuelLimits } from '../agent/sandbox';
import { mistakeLabels } from './advantages/mistakes';

/** What a form needs to show a field: metadata of the schema. */
export interface FieldInfo {
  /** Short name in links and on the command line. */
  readonly key: string;
  readonly title: string;
  readonly help: string;
  readonly unit?: string;
  /** `log` fields step by factors. */
  readonly scale?: 'log';
}

const number = (min: number, max: number, info: FieldInfo) =>
  v.pipe(v.number(), v.finite(), v.minValue(min), v.maxValue(max), v.metadata({ ...info }));
const integer = (min: number, max: number, info: FieldInfo) =>
  v.pipe(v.number(), v.integer(), v.minValue(min), v.maxValue(max), v.metadata({ ...info }));
const choice = <const T extends readonly string[]>(values: T, info: FieldInfo) => v.pipe(v.picklist(values), v.metadata({ ...info }));
const flag = (info: FieldInfo) => v.pipe(v.boolean(), v.metadata({ ...info }));

/** Names of the algorithms, as `algorithms/by-name.ts` has them. */
export const algorithmNames = [
  'grpo',
  'dr-grpo',
  'dapo',
  'gspo',
  'cispo',
  'sapo',
  'gmpo',
  'gigpo',
  'rloo',
  'opo',
  'gpg',
  'remax',
  'reinforce',
  'reinforce-pp',
  'reinforce-pp-baseline',
  'ppo',
  'step-ppo',
  'bi-level-gae',
] as const;

export const RunConfigSchema = v.strictObject({
  environment: v.strictObject({
    name: v.pipe(
      v.string(),
      v.regex(/^[a-z][a-z0-9-]{0,31}$/),
      v.metadata({ key: 'env', title: 'Environment', help: 'Name of a built-in environment, or of the one in the link.' }),
    ),
    options: v.record(v.pipe(v.string(), v.maxLength(32)), v.union([v.pipe(v.string(), v.maxLength(64)), v.pipe(v.number(), v.finite())])),
    /** JavaScript of an environment that is not built in. */
    source: v.optional(v.pipe(v.string(), v.maxLength(65536))),
  }),
  seed: integer(0, 4294967295, { key: 'seed', title: 'Seed', help: 'Same seed, same device: same run, bit for bit.' }),
  iterations: integer(1, 10000, {
    key: 'steps',
    title: 'Iterations',
    help: 'RL iterations: each samples rollouts once and learns from them.',
  }),
  model: v.strictObject({
    layers: integer(1, 12, { key: 'layers', title: 'Layers', help: 'Transformer blocks (L).' }),
    width: integer(16, 512, { key: 'width', title: 'Width', help: 'Size of the residual stream (D).' }),
    heads: integer(1, 16, { key: 'heads', title: 'Heads', help: 'Query heads (H); width must divide by them.' }),
    kvHeads: integer(1, 16, { key: 'kv', title: 'Key/value heads', help: 'Grouped-query attention (Hk); heads must divide by them.' }),
    mlp: choice(['swiglu', 'gelu'], { key: 'mlp', title: 'MLP', help: 'Activation of the feed-forward part.' }),
    mlpWidth: integer(16, 2048, { key: 'ff', title: 'MLP width', help: 'Hidden size of the feed-forward part (F).' }),
    tied: flag({ key: 'tied', title: 'Tied head', help: 'The output head shares the token embedding.' }),
    context: integer(32, 1024, { key: 'context', title: 'Context', help: 'Longest episode the model can see.', unit: 'tokens' }),
  }),
  text: v.strictObject({
    tokenizer: choice(['character', 'byte', 'bpe'], {
      key: 'tok',
      title: 'Tokenizer',
      help: 'Characters of the environment, bytes, or byte-pair encoding trained on its text.',
    }),
    /** Number of merged tokens, BPE only. */
    vocabulary: integer(264, 8192, {
      key: 'vocab',
      title: 'BPE vocabulary',
      help: 'Vocabulary size when the tokenizer is BPE.',
      unit: 'tokens',
    }),
    toolFormat: choice(['compact', 'hermes'], {
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
    steps: integer(0, 10000, { key: 'warm', title: 'Warm-start steps', help: 'Cross-entropy steps before reinforcement begins.' }),
    batch: integer(1, 1024, { key: 'warmBatch', title: 'Warm-start batch', help: 'Demonstrations a step.' }),
    learningRate: number(1e-6, 0.1, {
      key: 'warmLr',
      title: 'Warm-start learning rate',
      help: 'Peak AdamW rate of the warm start.',
      scale: 'log',
    }),
  }),
  algorithm: v.strictObject({
    name: choice(algorithmNames, { key: 'algo', title: 'Algorithm', help: 'How rewards become advantages.' }),
    clipLow: number(0, 1, { key: 'clipLow', title: 'Clip below', help: 'The ratio is clipped at 1 − this.' }),
    clipHigh: number(0, 10, { key: 'clipHigh', title: 'Clip above', help: 'The ratio is clipped at 1 + this.' }),
    dualClip: number(1, 100, {
      key: 'dualClip',
      title: 'Dual clip',
      help: 'Bound on the loss of a negative advantage, in units of |advantage|.',
    }),
    normalizeStd: flag({
      key: 'std',
      title: 'Divide by group std',
      help: 'GRPO divides advantages by the standard deviation of the group; Dr.GRPO does not.',
    }),
    klCoefficient: number(0, 10, { key: 'kl', title: 'KL coefficient', help: 'Weight of the KL to the starting weights; 0 is none.' }),
    klPlace: v.optional(
      choice(['loss', 'reward'], {
        key: 'klIn',
        title: 'KL in',
        help: 'A term of the loss, or taken off the reward of each token, where it counts for every earlier token too.',
      }),
      'loss',
    ),
    klEstimator: v.optional(
      choice(['k1', 'abs', 'k2', 'k3', 'k3+'], {
        key: 'klKind',
        title: 'KL estimator',
        help: 'What a token’s KL is estimated by. k3+ is k3 with the gradient of k2; in the reward it is k3.',
      }),
      'k3',
    ),
    klTarget: v.optional(
      number(0, 10, {
        key: 'klTarget',
        title: 'KL target',
        help: 'The coefficient is adapted so that KL stays here; 0 keeps the coefficient.',
        unit: 'nats a token',
      }),
      0,
    ),
    klHorizon: v.optional(
      integer(1, 1000000, { key: 'klHorizon', title: 'KL horizon', help: 'Rollouts over which the coefficient may change by a fifth.' }),
      10000,
    ),
    klStop: v.optional(
      number(0, 10, {
        key: 'klStop',
        title: 'Stop on KL',
        help: 'An epoch after which the policy is farther than this from the one that sampled is the last; 0 never stops.',
        unit: 'nats a token',
      }),
      0,
    ),
    entropyCoefficient: number(0, 1, { key: 'ent', title: 'Entropy bonus', help: 'Weight of the entropy bonus in the loss.' }),
    gamma: v.optional(number(0, 1, { key: 'gamma', title: 'γ', help: 'Discount, per token or per step as the algorithm has it.' }), 1),
    lambda: v.optional(number(0, 1, { key: 'lambda', title: 'λ', help: 'How far GAE looks before it trusts the critic.' }), 0.95),
    turnGamma: v.optional(number(0, 1, { key: 'turnGamma', title: 'γ of turns', help: 'Discount per turn of bi-level GAE.' }), 1),
    gaeAcross: v.optional(
      choice(['episode', 'step'], {
        key: 'gaeAcross',
        title: 'GAE across',
        help: 'Whether PPO’s token GAE runs on through all steps of an episode, or starts anew in each: then no step hears of a later reward.',
      }),
      'episode',
    ),
    stepWeight: v.optional(
      number(0, 10, {
        key: 'stepWeight',
        title: 'Step weight',
        help: 'How much GiGPO’s comparison of steps counts beside that of episodes.',
      }),
      1,
    ),
    aggregation: choice(['token-mean', 'seq-mean-token-mean', 'seq-mean-token-sum', 'seq-mean-token-sum-norm'], {
      key: 'agg',
      title: 'Loss aggregation',
      help: 'How per-token losses become one number.',
    }),
    epochs: integer(1, 16, { key: 'epochs', title: 'Epochs', help: 'Passes over each batch of rollouts.' }),
    miniBatches: integer(1, 64, { key: 'mini', title: 'Mini-batches', help: 'Optimizer steps a pass; trajectories stay whole.' }),
    lossMask: flag({
      key: 'lossMask',
      title: 'Loss mask',
      help: 'On: only tokens the agent wrote are trained on. Off: tool results and prompts after the first are, too.',
    }),
    advantageMask: flag({
      key: 'advMask',
      title: 'Advantage mask',
      help: 'On: credit goes to agent tokens only. Off: tool tokens take a share.',
    }),
  }),
  critic: v.optional(
    v.strictObject({
      network: v.optional(
        choice(['shared', 'separate'], {
          key: 'critic',
          title: 'Critic',
          help: 'A value head on the policy’s last hidden state, or a whole network of its own that starts as a copy of the policy.',
        }),
        'shared',
      ),
      learningRate: v.optional(
        number(1e-7, 0.1, {
          key: 'criticLr',
          title: 'Critic’s learning rate',
          help: 'AdamW rate of what is the critic’s alone.',
          scale: 'log',
        }),
        3e-3,
      ),
      coefficient: v.optional(
        number(0, 10, {
          key: 'criticCoef',
          title: 'Value coefficient',
          help: 'Weight of the value loss; on a shared trunk beside the policy’s.',
        }),
        0.5,
      ),
      clip: v.optional(
        number(0.001, 1000, { key: 'criticClip', title: 'Value clip', help: 'Largest move of a value in one update that still counts.' }),
        0.5,
      ),
      warmup: v.optional(
        integer(0, 1000, { key: 'criticWarmup', title: 'Critic warm-up', help: 'Iterations at first in which the critic alone learns.' }),
        0,
      ),
    }),
    {},
  ),
  shaping: v.optional(
    v.strictObject({
      process: v.optional(
        choice(['as-given', 'scaled', 'per-source'], {
          key: 'process',
          title: 'Process rewards',
          help: 'What steps before the last earn: as given, divided by the batch’s largest sum, or (RLOO) compared apart from the outcome.',
        }),
        'as-given',
      ),
      clip: v.optional(number(0, 100, { key: 'rewardClip', title: 'Reward clip', help: 'Largest size of a step’s reward; 0 is none.' }), 0),
      invalidCall: v.optional(
        number(0, 10, {
          key: 'invalid',
          title: 'Invalid-call penalty',
          help: 'Taken off a step whose call could not be read or does not exist.',
        }),
        0,
      ),
      overlong: v.optional(
        number(0, 10, {
          key: 'overlong',
          title: 'Over-long penalty',
          help: 'Taken off an episode that is a whole buffer too long; 0 is none.',
        }),
        0,
      ),
      overlongFrom: v.optional(
        integer(1, 4096, {
          key: 'overlongFrom',
          title: 'Too long from',
          help: 'Agent tokens of an episode that cost nothing.',
          unit: 'tokens',
        }),
        64,
      ),
      overlongBuffer: v.optional(
        integer(1, 4096, {
          key: 'overlongBuffer',
          title: 'Over-long buffer',
          help: 'Tokens over which the penalty grows to its size.',
          unit: 'tokens',
        }),
        32,
      ),
    }),
    {},
  ),
  filter: v.optional(
    v.strictObject({
      strategy: v.optional(
        choice(['none', 'signal', 'top-p-linear', 'top-p-softmax', 'top-k-share', 'top-k', 'min-p'], {
          key: 'filter',
          title: 'Rollout filter',
          help: 'Groups that are learned from: all, those whose rewards differ, or those whose rewards differ most.',
        }),
        'none',
      ),
      value: v.optional(
        number(0, 512, {
          key: 'filterBy',
          title: 'Filter by',
          help: 'Share of the spread (top-p), of the groups or their number (top-k), of the best (min-p).',
        }),
        0.9,
      ),
      refill: v.optional(
        integer(0, 8, { key: 'refill', title: 'Refills', help: 'Most further rounds of tasks sampled in place of groups without signal.' }),
        0,
      ),
    }),
    {},
  ),
  mistakes: v.optional(
    v.strictObject({
      creditReset: v.optional(
        flag({ key: 'creditReset', title: mistakeLabels.creditReset.title, help: mistakeLabels.creditReset.sentence }),
        false,
      ),
      rewardOnToolToken: v.optional(
        flag({ key: 'toolReward', title: mistakeLabels.rewardOnToolToken.title, help: mistakeLabels.rewardOnToolToken.sentence }),
        false,
      ),
      wrongGroups: v.optional(
        flag({ key: 'wrongGroups', title: mistakeLabels.wrongGroups.title, help: mistakeLabels.wrongGroups.sentence }),
        false,
      ),
    }),
    {},
  ),
  rollout: v.strictObject({
    tasks: integer(1, 512, { key: 'tasks', title: 'Tasks', help: 'Different tasks an iteration.' }),
    group: integer(1, 64, { key: 'group', title: 'Group size', help: 'Rollouts of each task; advantages compare them.' }),
    temperature: number(0.05, 5, { key: 'temp', title: 'Temperature', help: 'Sampling temperature of rollouts.' }),
    topK: integer(0, 8192, { key: 'topK', title: 'Top-k', help: 'Sample from the k likeliest tokens; 0 is all.' }),
    topP: number(0.01, 1, { key: 'topP', title: 'Top-p', help: 'Sample from the likeliest tokens that hold this share; 1 is all.' }),
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
    learningRate: number(1e-7, 0.1, { key: 'lr', title: 'Learning rate', help: 'Peak AdamW rate of reinforcement.', scale: 'log' }),
    schedule: choice(['constant', 'linear', 'cosine'], {
      key: 'decay',
      title: 'Schedule',
      help: 'How the rate falls to a tenth over the run.',
    }),
    warmup: integer(0, 1000, { key: 'warmup', title: 'Warm-up', help: 'Iterations over which the rate rises from 0.' }),
    beta1: number(0, 0.9999, { key: 'b1', title: 'β₁', help: 'Decay of the first moment.' }),
    beta2: number(0, 0.99999, { key: 'b2', title: 'β₂', help: 'Decay of the second moment.' }),
    weightDecay: number(0, 1, { key: 'wd', title: 'Weight decay', help: 'Decoupled; matrices only.' }),
    gradientClip: number(0.001, 1000, { key: 'clip', title: 'Gradient clip', help: 'Largest norm of the whole gradient.' }),
  }),
  /** Weight of each named reward term of the environment. */
  rewards: v.record(
    v.pipe(v.string(), v.maxLength(32)),
    number(-10, 10, { key: 'reward', title: 'Reward weight', help: 'Factor on this reward term.' }),
  ),
  evaluation: v.strictObject({
    tasks: integer(1, 4096, { key: 'evalTasks', title: 'Validation tasks', help: 'Fixed held-out tasks, answered greedily.' }),
    every: integer(1, 1000, {
      key: 'evalEvery',
      title: 'Validate every',
      help: 'Iterations between validations; the first and the last are always validated.',
    }),
  }),
});

export type RunConfig = v.InferOutput<typeof RunConfigSchema>;
/** A config as a file may have it: what came later than the first version may be left out. */
export type RunConfigInput = v.InferInput<typeof RunConfigSchema>;

/** Problems in a config, one sentence each: where, what was wrong, what is allowed. Empty when it is valid. */
export function configProblems(value: unknown): string[] {
  const result = v.safeParse(RunConfigSchema, value);
  if (!result.success) return result.issues.map((issue) => `${v.getDotPath(issue) ?? 'config'}: ${issue.message}`);
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
    problems.push(`rollout.maxTokens: ${rollout.maxTokens} leaves no room for a prompt in a context of ${model.context} tokens.`);
  if (shaping.process === 'per-source' && algorithm.name !== 'rloo')
    problems.push(`shaping.process: only rloo compares process rewards per source; ${algorithm.name} takes them as given or scaled.`);
  return problems;
}

/** A valid config, or an Error whose message lists every problem on a line of its own. */
export function parseConfig(value: unknown): RunConfig {
  const problems = configProblems(value);
  if (problems.length > 0) throw new Error(`This run config cannot be used:\n${problems.join('\n')}`);
  return v.parse(RunConfigSchema, value);
}
