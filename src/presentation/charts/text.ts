/** Sentences of the curves: what each chart shows, how to read it, and what its buttons do. */
import { healthyMax } from './units';
import { plural } from '../../lib/format';
import { stepsInWords } from '../../lib/sentences';

export interface ChartText {
  readonly name: string;
  /** One sentence: what the chart shows. */
  readonly meaning: string;
  /** What healthy looks like, and what trouble looks like. */
  readonly healthy: string;
  /** Shown where no step has such a number. */
  readonly absent?: string;
}

export const text = {
  title: 'Curves',
  /** Names of the curve that a run is drawn against. */
  recordedRun: 'recorded run',
  authorRun: 'author’s run',
  authorPractice: 'author’s run, practice',
  smoothing: 'Smoothing',
  off: 'off',
  left: 'Move left',
  right: 'Move right',
  zoomIn: 'Zoom in',
  zoomOut: 'Zoom out',
  fit: 'Fit',
  fitHint: 'Show the whole run (0, or double-click a chart)',
  exportCsv: 'Export CSV',
  empty: 'No data yet. Press Train to draw these curves.',
  /** Below the title, where there are such lines. */
  marks: (after: readonly number[]) => `Dashed line: the setup changed after ${stepsInWords(after)}.`,
  more: 'More charts',
  moreHint: 'for experts: reward, entropy, KL and others, smoothing, zoom, CSV',
  logAxis: 'Logarithmic axis',
  logFixed: 'A log axis is off: this axis is fixed at 0 – 100 %.',
  logEmpty: 'A log axis is off: there is no data yet.',
  logNotPositive: 'A log axis is off: some values are zero or negative.',
  enlarge: (chart: string) => `Enlarge ${chart}`,
  /** The y axis by hand. */
  hand: {
    axis: 'y axis',
    from: 'from',
    to: 'to',
    hint: 'Blank: as far as the values reach.',
    automatic: 'Automatic',
    noNumber: 'An end of the axis must be a number.',
    notPositive: 'A logarithmic axis has positive ends only.',
    reversed: 'The lower end must be below the upper one.',
  },
  about: (chart: string) => `About ${chart}, and its numbers`,
  slider: (chart: string, axis: string) => `${chart} at ${axis}`,
  numbers: (chart: string) => `Numbers of ${chart}`,
  unsmoothed: (chart: string) => `${chart}, unsmoothed`,
  step: 'iteration',
  savePng: (chart: string) => `Save ${chart} as PNG`,
  noData: 'no data yet',
  /** The values at the crosshair, read aloud. */
  spoken: (place: string | null, values: string) => `${place ?? 'latest'}: ${values}`,
  atStep: (iteration: number) => `iteration ${iteration}`,
  summary: {
    none: (chart: string) => `${chart} has no data yet.`,
    one: (name: string, value: string, place: string) => `${name} is ${value} at ${place}.`,
    equal: (name: string, value: string, place: string, extremes: string) =>
      `${name} began at ${value} and is ${value} at ${place}${extremes}.`,
    between: (low: string, high: string) => `, between ${low} and ${high}`,
    within: (value: string, low: string, high: string) => `${value} (${low} to ${high})`,
    changed: (name: string, rose: boolean, from: string, to: string, place: string) =>
      `${name} ${rose ? 'rose' : 'fell'} from ${from} to ${to} by ${place}.`,
    ghostOne: (whose: string, value: string, steps: number) =>
      `${whose}: ${value} after ${plural(steps, 'iteration')}.`,
    ghost: (whose: string, from: string, to: string, steps: number) =>
      `${whose}: ${from} → ${to} in ${plural(steps, 'iteration')}.`,
  },
  charts: {
    success: {
      name: 'Success',
      meaning:
        'Share of tasks solved. Unseen tasks: answered greedily. Practice: the rollouts that the agent learns from.',
      healthy: 'Healthy: both climb. If only practice climbs, the agent learns its practice tasks by heart.',
    },
    kinds: {
      name: 'Success by kind',
      meaning: 'Share of unseen tasks solved, for each kind of task that the environment tells apart.',
      healthy: 'Healthy: all climb. A kind that stays behind is where to look for what is not learned yet.',
    },
    reward: {
      name: 'Reward',
      meaning: 'Mean reward of the practice rollouts. The band is how much rollouts of one task differ.',
      healthy: 'Healthy: the line climbs, the band narrows late. If success stays flat, the agent games the reward.',
    },
    entropy: {
      name: 'Entropy',
      meaning: 'How undecided the agent is at each token: 0 is certain. The unit is the nat.',
      healthy:
        'Healthy: it falls slowly. Near 0 early, the agent has stopped exploring. If it rises, updates are too large.',
    },
    kl: {
      name: 'KL',
      meaning:
        'How far the agent has moved from the reference policy, its weights after the warm start: the mean over ' +
        'tokens, in nats. Unless it is trained on, it is measured at validations only.',
      healthy: `Healthy: it rises slowly to less than ${healthyMax('kl', 'number')}. After a jump, check success.`,
    },
    clipFraction: {
      name: 'Clip fraction',
      meaning: 'Share of tokens whose update was cut off.',
      healthy: `Healthy: 0 to 20 %; 0 for one update a batch. Above ${healthyMax('clippedAbove')}, learn more slowly.`,
    },
    gradientNorm: {
      name: 'Gradient norm',
      meaning: 'Length of the gradient before clipping.',
      healthy:
        'Healthy: steady with single peaks. If it grows, lower the learning rate. At 0 there is nothing to learn.',
    },
    turns: {
      name: 'Turns',
      meaning: 'Mean turns per rollout. In each turn the agent acts once.',
      healthy: 'Healthy: it settles at what the task needs. At the limit, the agent never answers.',
    },
    toolCalls: {
      name: 'Tool calls',
      absent: 'No tool was called so far. Some tasks have no tools.',
      meaning: 'Share of tool calls without an error. Gap: no tool was called.',
      healthy:
        'Healthy: above 95 % soon after the warm start. If low, the agent has not learned how calls are written.',
    },
    responseLength: {
      name: 'Response length',
      meaning: 'Mean tokens that the agent writes per rollout.',
      healthy: 'Healthy: steady. If it climbs and success does not, the agent pads its answers.',
    },
    zeroSignalGroups: {
      name: 'Groups without signal',
      meaning: 'Share of tasks whose rollouts all scored the same. Nothing is learned from them.',
      healthy: `Healthy: below ${healthyMax('zeroSignalGroups')}. Near 100 %, tasks are too hard or already solved.`,
    },
    tokenRate: {
      name: 'Tokens/s',
      meaning: 'Tokens sampled and trained on per second.',
      healthy: 'Healthy: flat. If it drops, another program uses the GPU or CPU, or the device is hot.',
    },
    timeSplit: {
      name: 'Time split',
      meaning: 'Time per iteration, by part.',
      healthy: 'Healthy: sampling and training take most of it. If tools do, the environment is slow.',
    },
    environmentFailures: {
      name: 'Environment failures',
      meaning:
        'Share of rollouts in which the environment failed: its code was stopped, or its reward could not be read.',
      healthy: 'Healthy: 0; anything else is a fault of the environment, and such rollouts count as unsolved.',
    },
    killed: {
      name: 'Stopped calls',
      meaning:
        'Tool calls and rewards that the sandbox stopped: out of fuel, out of memory, or other (deep recursion).',
      healthy: 'Healthy: 0; the rollouts of these iterations say where it happened.',
    },
  } satisfies Readonly<Record<string, ChartText>>,
  series: {
    unseen: 'unseen tasks',
    practice: 'practice',
    meanReward: 'mean ± deviation within a group',
    perToken: 'mean per token',
    clipped: 'clipped',
    norm: 'norm',
    turns: 'turns per rollout',
    withoutError: 'without error',
    tokens: 'tokens per rollout',
    ofGroups: 'of groups',
    sampling: 'sampling',
    training: 'training',
    tools: 'tools',
    validation: 'validation',
    ofRollouts: 'of rollouts',
    fuel: 'fuel',
    memory: 'memory',
    other: 'other',
  },
} as const;
