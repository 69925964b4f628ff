/** The fields of RunConfig as a form and the command line show them: what the schema has, and what each means. */
import * as v from 'valibot';
import { mistakeLabels } from './algorithm-schema';
import { RunConfigSchema, type RunConfig } from './config';
import type { FieldInfo } from './entries';
import { adapterHelp, pretrainedSchema } from './pretrained-schema';

/** A field of RunConfig as a form shows it. */
export interface Field extends FieldInfo {
  /** Dotted: `optimizer.learningRate`. */
  readonly path: string;
  readonly help: string;
}

type Help<T> = { readonly [Name in keyof T]: T[Name] extends object ? Help<T[Name]> : string };

/** Names, sources and free-form records have no field. */
const help: Help<Omit<RunConfig, 'environment' | 'rewards'>> = {
  seed: 'Same seed, same device: same run, bit for bit.',
  device: 'auto: the GPU if there is a real one, else the CPU. On the CPU a run gives the same bits on every machine.',
  iterations: 'RL iterations: each samples rollouts once and learns from them.',
  model: {
    layers: 'Transformer blocks (L).',
    width:
      'Size of the residual stream (D). Wider models want lower rates: from 64 on, multiply both learning rates by ' +
      '64 / width.',
    heads: 'Query heads (H); width must divide by them.',
    kvHeads: 'Grouped-query attention (Hk); heads must divide by them.',
    mlp: 'Activation of the feed-forward part.',
    mlpWidth: 'Hidden size of the feed-forward part (F).',
    tied: 'The output head shares the token embedding.',
    context: 'Longest episode the model can see.',
  },
  text: {
    tokenizer: 'Characters of the environment, its whole words, bytes, or byte-pair encoding trained on its text.',
    vocabulary: 'Vocabulary size when the tokenizer is BPE.',
    toolFormat: 'How the agent writes a call: after a special token, as Hermes JSON, or as code between tags.',
  },
  warmStart: {
    demonstrations: 'Scripted episodes to imitate first; 0 starts from random weights.',
    steps: 'Cross-entropy steps before reinforcement begins.',
    batch: 'Demonstrations a step.',
    learningRate: 'Peak AdamW rate of the warm start. It should fall as the width grows, by 64 / width.',
    recorded:
      'Begin from the preset’s recorded weights if environment, model, text, context and warm start are the ' +
      'preset’s. Off: imitate here.',
  },
  algorithm: {
    name: 'How rewards become advantages.',
    clipLow: 'The ratio is clipped at 1 − this; GMPO clips its logarithm at − this.',
    clipHigh: 'The ratio is clipped at 1 + this; GMPO clips its logarithm at this.',
    dualClip: 'Bound on the loss of a negative advantage, in units of |advantage|.',
    normalizeStd: 'GRPO divides advantages by the standard deviation of the group; Dr.GRPO does not.',
    klCoefficient:
      'Weight of the KL to the reference policy; 0 is none. That is the weights after the warm start, ' +
      'or of a pretrained model those before it, without its adapter.',
    klPlace: 'A term of the loss, or taken off the reward of each token, where it counts for every earlier token too.',
    klEstimator: 'What a token’s KL is estimated by. k3+ is k3 with the gradient of k2; in the reward it is k3.',
    klTarget: 'The coefficient is adapted so that KL, as it is estimated, stays here; 0 keeps the coefficient.',
    klHorizon: 'Rollouts over which the coefficient may change by a fifth.',
    klStop:
      'An epoch after which the policy is farther than this from the one that sampled is the last; 0 never stops.',
    entropyCoefficient: 'Weight of the entropy bonus in the loss.',
    gamma: 'Discount, per token or per step as the algorithm has it.',
    lambda: 'How far GAE looks before it trusts the critic.',
    turnGamma: 'Discount per turn of bi-level GAE.',
    gaeAcross:
      'Whether PPO’s token GAE runs on through all steps of an episode, or starts anew in each: ' +
      'then no step hears of a later reward.',
    stepWeight: 'How much GiGPO’s comparison of steps counts beside that of episodes.',
    aggregation: 'How per-token losses become one number.',
    epochs: 'Passes over each batch of rollouts.',
    miniBatches: 'Optimizer steps a pass; trajectories stay whole.',
    lossMask: 'On: only tokens the agent wrote are trained on. Off: tool results and prompts after the first are, too.',
    advantageMask:
      'On (normal): only text that the agent wrote is rewarded. Off: text from tools is rewarded too, a known mistake.',
  },
  critic: {
    network:
      'A value head on the policy’s last hidden state, or a whole network of its own ' +
      'that starts as a copy of the policy.',
    learningRate: 'AdamW rate of what is the critic’s alone; constant, whatever the policy’s schedule does.',
    epochs: 'Passes of the critic over each batch of rollouts; those beyond the policy’s train the critic alone.',
    coefficient: 'Weight of the value loss; on a shared trunk beside the policy’s.',
    clip: 'Largest move of a value in one update that still counts.',
    warmup:
      'Most iterations at first in which the critic alone learns; they end once it explains 30 % of the variance of ' +
      'returns. The policy’s schedule begins after them.',
    onResults:
      'Where the advantage mask is off: the epochs in which the critic learns alone train it at tool results, too.',
  },
  shaping: {
    process:
      'What steps before the last earn: as given, divided by the batch’s largest sum, ' +
      'or (RLOO) compared apart from the outcome.',
    clip: 'Largest size of a step’s reward; 0 is none.',
    invalidCall: 'Taken off a step whose call could not be read or does not exist.',
    overlong: 'Taken off an episode that is a whole buffer too long, or longer; 0 is none.',
    overlongFrom: 'Agent tokens of an episode that cost nothing. By default more than any episode of a preset has.',
    overlongBuffer: 'Tokens over which the penalty grows to its size.',
  },
  filter: {
    strategy: 'Groups that are learned from: all, those whose rewards differ, or those whose rewards differ most.',
    value: 'Share of the spread (top-p), of the groups or their number (top-k), of the best (min-p).',
    refill: 'Most further rounds of tasks sampled in place of groups without signal.',
  },
  mistakes: {
    creditReset: mistakeLabels.creditReset.sentence,
    rewardOnToolToken: mistakeLabels.rewardOnToolToken.sentence,
    wrongGroups: mistakeLabels.wrongGroups.sentence,
  },
  context: {
    rule:
      'What of an episode the next prompt shows: auto (the environment decides, else everything), everything, ' +
      'a window, a summary by the environment or by the policy, or what the environment makes of it.',
    exchanges: 'Last actions and replies that a window keeps, behind the question.',
    budget: 'Length of a prompt from which on the policy is asked for a summary.',
  },
  rollout: {
    tasks: 'Different tasks an iteration.',
    group: 'Rollouts of each task; advantages compare them.',
    temperature: 'Sampling temperature of rollouts.',
    topK: 'Sample from the k likeliest tokens; 0 is all. Fewer bias the gradient.',
    topP: 'Sample from the likeliest tokens that hold this share; 1 is all. Less biases the gradient.',
    maxTurns: 'Most turns an episode may take.',
    maxTokens: 'Longest action.',
    seeded:
      'All of reinforcement, only tasks, sampling or mini-batches, or none. The rest is that of seed 1, for any seed.',
    flip: 'Iteration in which the seed decides one action, where it decides no other; 0 is none.',
    callFuel:
      'Work after which a tool call or a reward is stopped, the same on every machine: about 20 a turn of a loop.',
  },
  optimizer: {
    learningRate: 'Peak AdamW rate of reinforcement. It should fall as the width grows, by 64 / width.',
    schedule: 'How the rate falls to a tenth over the run.',
    span: 'Iterations after which the rate stays at a tenth. 0: the whole run.',
    warmup: 'Iterations over which the rate rises from 0.',
    beta1: 'Decay of the first moment.',
    beta2: 'Decay of the second moment.',
    weightDecay: 'Decoupled; matrices only.',
    fresh:
      'Reinforcement begins with empty AdamW moments. ' +
      'Off: it keeps those of the warm start, and small losses move slowly at first.',
    gradientClip: 'Largest norm of the whole gradient.',
  },
  evaluation: {
    tasks: 'Fixed held-out tasks, answered greedily.',
    every: 'Iterations between validations; the first and the last are always validated.',
  },
};

type Schema = v.GenericSchema & {
  readonly entries?: Readonly<Record<string, Schema>>;
  readonly wrapped?: Schema;
};

/** All numbers, choices and flags, in the order of `help`. */
export function configFields(): Field[] {
  return fieldsOf(RunConfigSchema as Schema, help, []);
}

/** Those of an adapter, which are in the config of a pretrained model only. */
export function adapterFields(): Field[] {
  return fieldsOf(pretrainedSchema as Schema, adapterHelp, ['model', 'pretrained']);
}

function fieldsOf(schema: Schema, about: unknown, names: readonly string[]): Field[] {
  if (schema.wrapped) return fieldsOf(schema.wrapped, about, names);
  if (typeof about === 'string') {
    const info = v.getMetadata(schema) as unknown as Omit<FieldInfo, 'key'>;
    return [{ key: names.at(-1)!, ...info, path: names.join('.'), help: about }];
  }
  return Object.entries(about ?? {}).flatMap(([name, each]) => fieldsOf(schema.entries![name], each, [...names, name]));
}
