/** Sentences of the health panel. */
import { leastExplained } from '../../share/critic-health';
import type { Diagnostic } from '../../share/health';
import { healthyMax } from '../charts/units';

export const text = {
  /** Of each diagnostic: its title, and what it means to leave the range. */
  checks: {
    rewardStd: {
      title: 'In-group deviation of rewards',
      sentence:
        'If all rollouts of a task score the same, nothing is learned. Raise the temperature or enlarge the group.',
    },
    zeroSignalGroups: {
      title: 'Groups without signal',
      sentence:
        'Share of groups whose rollouts all scored the same. Change the difficulty, enlarge the group or use refills.',
    },
    entropy: {
      title: 'Entropy',
      sentence:
        'Near 0 the agent tries nothing new. Raise the upper clip, add an entropy bonus or lower the learning rate.',
    },
    kl: {
      title: 'KL to the reference',
      sentence:
        'Distance of the agent from the reference policy, its weights after the warm start. If it rises suddenly, ' +
        'lower the learning rate or give the KL a weight.',
    },
    approxKl: {
      title: 'KL of one update',
      sentence:
        `How far an iteration moves the agent. Above ${healthyMax('approxKl', 'number')}, lower the learning ` +
        `rate.`,
    },
    clippedAbove: {
      title: 'Clipped above',
      sentence: 'Share of good tokens whose update was cut off. If high, lower the learning rate or do fewer updates.',
    },
    clippedBelow: {
      title: 'Clipped below',
      sentence: 'Share of bad tokens whose update was cut off. If high, lower the learning rate or do fewer updates.',
    },
    dualClipped: {
      title: 'Dual-clipped',
      sentence: `Share of bad tokens that became far likelier. Above ${healthyMax('dualClipped')}, learn more slowly.`,
    },
    explainedVariance: {
      title: 'Explained variance',
      sentence:
        'Share of the variance of its λ-returns that the critic predicts. With λ below 1 these contain its own ' +
        `values, so the share looks larger. Below ${leastExplained} the critic explains nothing: change its learning ` +
        'rate, give it more epochs, or lengthen its warm-up.',
    },
    gradientNorm: {
      title: 'Gradient norm',
      sentence: 'Length of the gradient before clipping. If it spikes, lower the learning rate or the gradient clip.',
    },
    information: {
      title: 'Information about the task',
      sentence:
        'Whether the first action depends on the task. Near 0 it does not: filter out groups with equal rewards.',
    },
    truncated: {
      title: 'Cut actions',
      sentence: 'Share of actions cut off by the token limit. Raise the limit or make length cost reward.',
    },
    echoTrap: {
      title: 'Echo trap',
      sentence:
        'All rollouts look the same and still fail. Go back to an earlier checkpoint and lower the learning rate.',
    },
  } satisfies Readonly<Record<Diagnostic, { readonly title: string; readonly sentence: string }>>,
  title: 'Health',
  empty: 'appears after the first iteration',
  list: 'Diagnostics',
  how: 'Latest value and trend. Green: healthy range. Watch: just left it. Alarm: out of it for several iterations.',
  states: {
    ok: 'in range',
    solved: 'expected: solved',
    unreached: 'never in range so far',
    watch: 'watch',
    alarm: 'alarm',
  },
  allOk: (ok: number, count: number) => `${ok} of ${count} checks OK`,
  named: (state: string, titles: string) => `${state}: ${titles}`,
  healthy: (range: string) => `healthy: ${range}`,
  atLeast: (low: string) => `at least ${low}`,
  range: (low: string, high: string) => `${low} to ${high}`,
  none: 'none',
  caught: 'caught',
  nats: 'per token',
  once: (value: string, iteration: number) => `${value} at iteration ${iteration}`,
  trend: (from: string, to: string, count: number) => `from ${from} to ${to} over ${count} iterations`,
  unmeasured: 'not measured yet',
  absent: (title: string, why: string) => `${title}: ${why}.`,
  noCritic: 'not measured, since this algorithm has no critic',
  sameReturns: 'not measured yet, since returns have not differed',
  sameTasks: 'not measured, since it takes two tasks with different prompts',
  partsOf: 'Gradient norm of each part',
  parts: {
    embedding: 'embedding',
    attention: 'attention',
    mlp: 'MLP',
    norms: 'norms',
    head: 'head',
    critic: 'critic',
  },
} as const;
