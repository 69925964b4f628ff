/** What each chart shows and how to read it: the metrics' names, units and healthy ranges. Draws nothing. */
import type { Metrics } from '../../rl/report';
import type { Unit } from './units';

export interface SeriesSpec {
  /** Stable key of the column. */
  readonly key: string;
  readonly label: string;
  /** Design token of the line's colour, without the dashes. */
  readonly colour: string;
  /** Line pattern in pixels; solid if absent. Lines of one chart differ by pattern as well as by colour. */
  readonly dash?: readonly number[];
  /** Measured in some iterations only: its points are drawn too, and never smoothed. */
  readonly points?: boolean;
  /** Half-height of a band around the line. */
  readonly spread?: (metrics: Metrics) => number | null;
  readonly value: (metrics: Metrics) => number | null;
}

export interface ChartSpec {
  readonly name: string;
  readonly unit: Unit;
  readonly series: readonly SeriesSpec[];
  /** One sentence: what it is. */
  readonly meaning: string;
  /** One sentence: what healthy looks like, and what trouble looks like. */
  readonly healthy: string;
  /** Fixed axis. */
  readonly range?: readonly [number, number];
  /** What is said where iterations have no such number. */
  readonly absent?: string;
  /** The axis always shows 0. */
  readonly fromZero?: boolean;
  readonly ghost?: boolean;
  /** DisplayedRun once it has left 0: most runs never need it. */
  readonly quiet?: boolean;
}

const dashed = [6, 4];
const dotted = [2, 3];

export const prominent: readonly ChartSpec[] = [
  {
    name: 'Success',
    unit: 'share',
    range: [0, 1],
    ghost: true,
    meaning:
      'Share of tasks solved. Unseen tasks: answered greedily. Practice: the attempts that the agent learns from.',
    healthy: 'Healthy: both climb. If only practice climbs, the agent learns its practice tasks by heart.',
    series: [
      { key: 'validation', label: 'unseen tasks', colour: 'series-1', points: true, value: (m) => m.validationSuccess },
      { key: 'success', label: 'practice', colour: 'series-2', dash: dashed, value: (m) => m.success },
    ],
  },
  {
    name: 'Reward',
    unit: 'number',
    meaning: 'Mean reward of the practice attempts. The band is how much attempts at one task differ.',
    healthy: 'Healthy: the line climbs, the band narrows late. If success stays flat, the agent games the reward.',
    series: [
      {
        key: 'reward',
        label: 'mean ± in-group std',
        colour: 'series-3',
        value: (m) => m.rewardMean,
        spread: (m) => m.rewardStd,
      },
    ],
  },
  {
    name: 'Entropy',
    unit: 'number',
    fromZero: true,
    meaning: 'How undecided the agent is at each token, in nats per token.',
    healthy:
      'Healthy: it falls slowly. Near 0 early, the agent has stopped exploring. If it rises, updates are too large.',
    series: [{ key: 'entropy', label: 'nats per token', colour: 'series-4', value: (m) => m.entropy }],
  },
  {
    name: 'KL',
    unit: 'number',
    fromZero: true,
    meaning: 'Distance of the agent from its starting weights, in nats per token.',
    healthy: 'Healthy: a slow rise that levels off below 1. After a sudden jump, check the success curve.',
    series: [{ key: 'kl', label: 'nats per token', colour: 'series-5', value: (m) => m.kl }],
  },
];

export const more: readonly ChartSpec[] = [
  {
    name: 'Clip fraction',
    unit: 'share',
    fromZero: true,
    meaning: 'Share of tokens whose update was cut off.',
    healthy: 'Healthy: 0 to 20 %. It is 0 if each batch is used once. Above 30 %, lower the learning rate.',
    series: [{ key: 'clipFraction', label: 'clipped', colour: 'series-1', value: (m) => m.clipFraction }],
  },
  {
    name: 'Gradient norm',
    unit: 'number',
    fromZero: true,
    meaning: 'Length of the gradient before clipping.',
    healthy:
      'Healthy: steady with single peaks. If it keeps growing, lower the learning rate. At 0 there is nothing to learn from.',
    series: [{ key: 'gradientNorm', label: 'norm', colour: 'series-7', value: (m) => m.gradientNorm }],
  },
  {
    name: 'Turns',
    unit: 'number',
    fromZero: true,
    meaning: 'Mean turns per attempt. In each turn the agent acts once.',
    healthy: 'Healthy: it settles at what the task needs. At the limit, the agent never answers.',
    series: [{ key: 'turns', label: 'turns per attempt', colour: 'series-3', value: (m) => m.turns }],
  },
  {
    name: 'Tool calls',
    unit: 'share',
    absent: 'No tool was called so far. Some tasks have no tools.',
    range: [0, 1],
    meaning: 'Share of tool calls without an error. Gap: no tool was called.',
    healthy: 'Healthy: above 95 % soon after the warm start. If low, the agent has not learned how calls are written.',
    series: [{ key: 'toolCallSuccess', label: 'without error', colour: 'series-6', value: (m) => m.toolCallSuccess }],
  },
  {
    name: 'Response length',
    unit: 'number',
    fromZero: true,
    meaning: 'Mean tokens that the agent writes per attempt.',
    healthy: 'Healthy: steady. If it climbs and success does not, the agent pads its answers.',
    series: [
      { key: 'responseLength', label: 'tokens per attempt', colour: 'series-4', value: (m) => m.responseLength },
    ],
  },
  {
    name: 'Groups without signal',
    unit: 'share',
    range: [0, 1],
    meaning: 'Share of tasks whose attempts all scored the same. Nothing is learned from them.',
    healthy: 'Healthy: below 80 % while learning. Near 100 %, tasks are too hard or already solved.',
    series: [{ key: 'zeroSignalGroups', label: 'of groups', colour: 'series-8', value: (m) => m.zeroSignalGroups }],
  },
  {
    name: 'Tokens/s',
    unit: 'rate',
    fromZero: true,
    meaning: 'Tokens sampled and trained on per second.',
    healthy: 'Healthy: flat. If it drops, another program uses the GPU, or the device is hot.',
    series: [
      { key: 'sampleRate', label: 'sampling', colour: 'series-1', value: (m) => m.sampleTokensPerSecond },
      { key: 'trainRate', label: 'training', colour: 'series-2', dash: dashed, value: (m) => m.trainTokensPerSecond },
    ],
  },
  {
    name: 'Time split',
    unit: 'ms',
    fromZero: true,
    meaning: 'Time per iteration, by part.',
    healthy: 'Healthy: sampling and training take most of it. If tools do, the environment is slow.',
    series: [
      { key: 'sampleMs', label: 'sampling', colour: 'series-1', value: (m) => m.sampleMs },
      { key: 'trainMs', label: 'training', colour: 'series-2', dash: dashed, value: (m) => m.trainMs },
      { key: 'environmentMs', label: 'tools', colour: 'series-3', dash: dotted, value: (m) => m.environmentMs },
      { key: 'evaluateMs', label: 'validation', colour: 'series-5', dash: [10, 3, 2, 3], value: (m) => m.evaluateMs },
    ],
  },
  {
    name: 'Environment failures',
    unit: 'share',
    fromZero: true,
    quiet: true,
    meaning:
      'Share of rollouts in which the environment failed: its code was stopped, or its reward could not be read.',
    healthy: 'Healthy: 0; anything else is a fault of the environment, and such rollouts count as unsolved.',
    series: [
      { key: 'environmentFailures', label: 'of rollouts', colour: 'series-1', value: (m) => m.environmentFailures },
    ],
  },
  {
    name: 'Stopped calls',
    unit: 'number',
    fromZero: true,
    quiet: true,
    meaning:
      'Tool calls and rewards that the sandbox stopped: out of fuel, out of memory, or anything else (recursion, a broken engine).',
    healthy: 'Healthy: 0; the rollouts of these iterations say where it happened.',
    // Runs recorded by an older engine do not count them.
    series: [
      { key: 'killedFuel', label: 'fuel', colour: 'series-1', value: (m) => m.killed?.fuel ?? null },
      {
        key: 'killedMemory',
        label: 'memory',
        colour: 'series-2',
        dash: dashed,
        value: (m) => m.killed?.memory ?? null,
      },
      {
        key: 'killedOther',
        label: 'other',
        colour: 'series-3',
        dash: dotted,
        value: (m) => (m.killed ? m.killed.depth + m.killed.stack + m.killed.trap : null),
      },
    ],
  },
];
