/**
 * The part of RunConfig for learning: algorithm, critic, shaping of rewards, filter and mistakes. Fields that came
 * after the first version have defaults, so that older files and links still open.
 */
import * as v from 'valibot';
import { algorithmNames } from '../algorithms/table';
import { choice, flag, integer, number } from './entries';

export const algorithmSchema = v.strictObject({
  name: choice(algorithmNames(), 'Algorithm', { key: 'algo' }),
  clipLow: number(0, 1, 'Clip below'),
  clipHigh: number(0, 10, 'Clip above'),
  dualClip: number(1, 100, 'Dual clip'),
  normalizeStd: flag('Divide by group std', { key: 'std' }),
  klCoefficient: number(0, 10, 'KL coefficient', { key: 'kl' }),
  klPlace: choice(['loss', 'reward'], 'KL in', { key: 'klIn', default: 'loss' }),
  klEstimator: choice(['k1', 'abs', 'k2', 'k3', 'k3+'], 'KL estimator', { key: 'klKind', default: 'k3' }),
  klTarget: number(0, 10, 'KL target', { unit: 'nats a token', default: 0 }),
  klHorizon: integer(1, 1000000, 'KL horizon', { default: 10000 }),
  klStop: number(0, 10, 'Stop on KL', { unit: 'nats a token', default: 0 }),
  entropyCoefficient: number(0, 1, 'Entropy bonus', { key: 'ent' }),
  gamma: number(0, 1, 'γ', { default: 1 }),
  lambda: number(0, 1, 'λ', { default: 0.95 }),
  turnGamma: number(0, 1, 'γ of turns', { default: 1 }),
  gaeAcross: choice(['episode', 'step'], 'GAE across', { default: 'episode' }),
  stepWeight: number(0, 10, 'Step weight', { default: 1 }),
  aggregation: choice(
    ['token-mean', 'seq-mean-token-mean', 'seq-mean-token-sum', 'seq-mean-token-sum-norm'],
    'Loss aggregation',
    { key: 'agg' },
  ),
  epochs: integer(1, 16, 'Epochs'),
  miniBatches: integer(1, 64, 'Mini-batches', { key: 'mini' }),
  lossMask: flag('Loss mask'),
  advantageMask: flag('Advantage mask', { key: 'advMask' }),
});

/** Read by algorithms with a critic only. */
export const criticSchema = v.optional(
  v.strictObject({
    network: choice(['shared', 'separate'], 'Critic', { key: 'critic', default: 'shared' }),
    learningRate: number(1e-7, 0.1, 'Critic’s learning rate', { key: 'criticLr', scale: 'log', default: 1e-2 }),
    epochs: integer(1, 64, 'Critic epochs', { key: 'criticEpochs', default: 4 }),
    coefficient: number(0, 10, 'Value coefficient', { key: 'criticCoef', default: 0.5 }),
    clip: number(0.001, 1000, 'Value clip', { key: 'criticClip', default: 0.5 }),
    warmup: integer(0, 1000, 'Critic warm-up', { key: 'criticWarmup', default: 4 }),
    onResults: flag('Critic learns on results', { key: 'criticResults', default: false }),
  }),
  {},
);

export const shapingSchema = v.optional(
  v.strictObject({
    process: choice(['as-given', 'scaled', 'per-source'], 'Process rewards', { default: 'as-given' }),
    clip: number(0, 100, 'Reward clip', { key: 'rewardClip', default: 0 }),
    invalidCall: number(0, 10, 'Invalid-call penalty', { key: 'invalid', default: 0 }),
    overlong: number(0, 10, 'Over-long penalty', { default: 0 }),
    overlongFrom: integer(1, 4096, 'Too long from', { unit: 'tokens', default: 64 }),
    overlongBuffer: integer(1, 4096, 'Over-long buffer', { unit: 'tokens', default: 32 }),
  }),
  {},
);

export const filterSchema = v.optional(
  v.strictObject({
    strategy: choice(
      ['none', 'signal', 'top-p-linear', 'top-p-softmax', 'top-k-share', 'top-k', 'min-p'],
      'Rollout filter',
      { key: 'filter', default: 'none' },
    ),
    value: number(0, 512, 'Filter by', { key: 'filterBy', default: 0.9 }),
    refill: integer(0, 8, 'Refills', { default: 0 }),
  }),
  {},
);

/** Three mistakes of published trainers as switches, to show what they do to the numbers. */
export const mistakeLabels = {
  creditReset: {
    title: 'Credit reset at environment tokens',
    sentence:
      'REINFORCE++ starts its sum anew at every environment token, so only the last turn is credited with the outcome.',
  },
  rewardOnToolToken: {
    title: 'Reward on a tool token',
    sentence:
      'A step’s reward is put on the last token of its row, and where that is a tool’s token, the mask drops it.',
  },
  wrongGroups: {
    title: 'Wrong group ids',
    sentence:
      'Every rollout is a group of its own, so nothing is compared and the baseline is gone: ' +
      'GRPO becomes plain REINFORCE.',
  },
} as const;

export type Mistakes = Readonly<Record<keyof typeof mistakeLabels, boolean>>;

export const mistakesSchema = v.optional(
  v.strictObject({
    creditReset: flag(mistakeLabels.creditReset.title, { default: false }),
    rewardOnToolToken: flag(mistakeLabels.rewardOnToolToken.title, { key: 'toolReward', default: false }),
    wrongGroups: flag(mistakeLabels.wrongGroups.title, { default: false }),
  }),
  {},
);
