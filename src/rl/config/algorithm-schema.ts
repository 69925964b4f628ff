/**
 * The part of RunConfig for learning: algorithm, critic, shaping of rewards, filter and mistakes. Fields that came
 * after the first version have defaults, so that older files and links still open.
 */
import * as v from 'valibot';
import { algorithmNames } from '../algorithms/table';
import { mistakeLabels, type Mistakes } from './mistakes';
import { choice, flag, integer, number } from './entries';

export const algorithmSchema = v.strictObject({
  name: choice(algorithmNames(), { key: 'algo', title: 'Algorithm', help: 'How rewards become advantages.' }),
  clipLow: number(0, 1, {
    title: 'Clip below',
    help: 'The ratio is clipped at 1 − this; GMPO clips its logarithm at − this.',
  }),
  clipHigh: number(0, 10, {
    title: 'Clip above',
    help: 'The ratio is clipped at 1 + this; GMPO clips its logarithm at this.',
  }),
  dualClip: number(1, 100, {
    title: 'Dual clip',
    help: 'Bound on the loss of a negative advantage, in units of |advantage|.',
  }),
  normalizeStd: flag({
    key: 'std',
    title: 'Divide by group std',
    help: 'GRPO divides advantages by the standard deviation of the group; Dr.GRPO does not.',
  }),
  klCoefficient: number(0, 10, {
    key: 'kl',
    title: 'KL coefficient',
    help: 'Weight of the KL to the reference policy, the weights after the warm start; 0 is none.',
  }),
  klPlace: choice(['loss', 'reward'], {
    key: 'klIn',
    title: 'KL in',
    help: 'A term of the loss, or taken off the reward of each token, where it counts for every earlier token too.',
    default: 'loss',
  }),
  klEstimator: choice(['k1', 'abs', 'k2', 'k3', 'k3+'], {
    key: 'klKind',
    title: 'KL estimator',
    help: 'What a token’s KL is estimated by. k3+ is k3 with the gradient of k2; in the reward it is k3.',
    default: 'k3',
  }),
  klTarget: number(0, 10, {
    title: 'KL target',
    help: 'The coefficient is adapted so that KL stays here; 0 keeps the coefficient.',
    unit: 'nats a token',
    default: 0,
  }),
  klHorizon: integer(1, 1000000, {
    title: 'KL horizon',
    help: 'Rollouts over which the coefficient may change by a fifth.',
    default: 10000,
  }),
  klStop: number(0, 10, {
    title: 'Stop on KL',
    help: 'An epoch after which the policy is farther than this from the one that sampled is the last; 0 never stops.',
    unit: 'nats a token',
    default: 0,
  }),
  entropyCoefficient: number(0, 1, {
    key: 'ent',
    title: 'Entropy bonus',
    help: 'Weight of the entropy bonus in the loss.',
  }),
  gamma: number(0, 1, { title: 'γ', help: 'Discount, per token or per step as the algorithm has it.', default: 1 }),
  lambda: number(0, 1, { title: 'λ', help: 'How far GAE looks before it trusts the critic.', default: 0.95 }),
  turnGamma: number(0, 1, { title: 'γ of turns', help: 'Discount per turn of bi-level GAE.', default: 1 }),
  gaeAcross: choice(['episode', 'step'], {
    title: 'GAE across',
    help: 'Whether PPO’s token GAE runs on through all steps of an episode, or starts anew in each: then no step hears of a later reward.',
    default: 'episode',
  }),
  stepWeight: number(0, 10, {
    title: 'Step weight',
    help: 'How much GiGPO’s comparison of steps counts beside that of episodes.',
    default: 1,
  }),
  aggregation: choice(['token-mean', 'seq-mean-token-mean', 'seq-mean-token-sum', 'seq-mean-token-sum-norm'], {
    key: 'agg',
    title: 'Loss aggregation',
    help: 'How per-token losses become one number.',
  }),
  epochs: integer(1, 16, { title: 'Epochs', help: 'Passes over each batch of rollouts.' }),
  miniBatches: integer(1, 64, {
    key: 'mini',
    title: 'Mini-batches',
    help: 'Optimizer steps a pass; trajectories stay whole.',
  }),
  lossMask: flag({
    title: 'Loss mask',
    help: 'On: only tokens the agent wrote are trained on. Off: tool results and prompts after the first are, too.',
  }),
  advantageMask: flag({
    key: 'advMask',
    title: 'Advantage mask',
    help: 'On (normal): only text that the agent wrote is rewarded. Off: text from tools is rewarded too, a known mistake.',
  }),
});

/** Read by algorithms with a critic only. */
export const criticSchema = v.optional(
  v.strictObject({
    network: choice(['shared', 'separate'], {
      key: 'critic',
      title: 'Critic',
      help: 'A value head on the policy’s last hidden state, or a whole network of its own that starts as a copy of the policy.',
      default: 'shared',
    }),
    learningRate: number(1e-7, 0.1, {
      key: 'criticLr',
      title: 'Critic’s learning rate',
      help: 'AdamW rate of what is the critic’s alone.',
      scale: 'log',
      default: 3e-3,
    }),
    coefficient: number(0, 10, {
      key: 'criticCoef',
      title: 'Value coefficient',
      help: 'Weight of the value loss; on a shared trunk beside the policy’s.',
      default: 0.5,
    }),
    clip: number(0.001, 1000, {
      key: 'criticClip',
      title: 'Value clip',
      help: 'Largest move of a value in one update that still counts.',
      default: 0.5,
    }),
    warmup: integer(0, 1000, {
      key: 'criticWarmup',
      title: 'Critic warm-up',
      help: 'Iterations at first in which the critic alone learns.',
      default: 0,
    }),
  }),
  {},
);

export const shapingSchema = v.optional(
  v.strictObject({
    process: choice(['as-given', 'scaled', 'per-source'], {
      title: 'Process rewards',
      help: 'What steps before the last earn: as given, divided by the batch’s largest sum, or (RLOO) compared apart from the outcome.',
      default: 'as-given',
    }),
    clip: number(0, 100, {
      key: 'rewardClip',
      title: 'Reward clip',
      help: 'Largest size of a step’s reward; 0 is none.',
      default: 0,
    }),
    invalidCall: number(0, 10, {
      key: 'invalid',
      title: 'Invalid-call penalty',
      help: 'Taken off a step whose call could not be read or does not exist.',
      default: 0,
    }),
    overlong: number(0, 10, {
      title: 'Over-long penalty',
      help: 'Taken off an episode that is a whole buffer too long; 0 is none.',
      default: 0,
    }),
    overlongFrom: integer(1, 4096, {
      title: 'Too long from',
      help: 'Agent tokens of an episode that cost nothing.',
      unit: 'tokens',
      default: 64,
    }),
    overlongBuffer: integer(1, 4096, {
      title: 'Over-long buffer',
      help: 'Tokens over which the penalty grows to its size.',
      unit: 'tokens',
      default: 32,
    }),
  }),
  {},
);

export const filterSchema = v.optional(
  v.strictObject({
    strategy: choice(['none', 'signal', 'top-p-linear', 'top-p-softmax', 'top-k-share', 'top-k', 'min-p'], {
      key: 'filter',
      title: 'Rollout filter',
      help: 'Groups that are learned from: all, those whose rewards differ, or those whose rewards differ most.',
      default: 'none',
    }),
    value: number(0, 512, {
      key: 'filterBy',
      title: 'Filter by',
      help: 'Share of the spread (top-p), of the groups or their number (top-k), of the best (min-p).',
      default: 0.9,
    }),
    refill: integer(0, 8, {
      title: 'Refills',
      help: 'Most further rounds of tasks sampled in place of groups without signal.',
      default: 0,
    }),
  }),
  {},
);

const mistake = (name: keyof Mistakes, key: string) =>
  flag({ key, title: mistakeLabels[name].title, help: mistakeLabels[name].sentence, default: false });

/** For teaching: each switch is what a published trainer once did. */
export const mistakesSchema = v.optional(
  v.strictObject({
    creditReset: mistake('creditReset', 'creditReset'),
    rewardOnToolToken: mistake('rewardOnToolToken', 'toolReward'),
    wrongGroups: mistake('wrongGroups', 'wrongGroups'),
  }),
  {},
);
