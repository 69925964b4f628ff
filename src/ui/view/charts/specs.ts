/** What each chart draws: its metrics, lines, unit and axis. Draws nothing. */
import type { Metrics } from '../../../rl/report';
import { text, type ChartText } from './text';
import type { Unit } from './units';

const { charts, series } = text;

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
  /** The line goes on over places where another series has a value and this one has none. */
  readonly joined?: boolean;
  /** Ends of a band around the line. */
  readonly band?: Readonly<Record<'low' | 'high', (metrics: Metrics) => number | null>>;
  /** Half-height of a band around the line. */
  readonly spread?: (metrics: Metrics) => number | null;
  readonly value: (metrics: Metrics) => number | null;
}

/** What stands on the x axis. */
export interface Axis {
  readonly name: string;
  /** A place on it in words: `step 12`. */
  readonly at: (x: number) => string;
  readonly tick?: (x: number) => string;
}

export interface ChartSpec extends ChartText {
  readonly unit: Unit;
  readonly series: readonly SeriesSpec[];
  /** Fixed axis. */
  readonly range?: readonly [number, number];
  /** The axis always shows 0. */
  readonly fromZero?: boolean;
  readonly ghost?: boolean;
  /** Steps if it is absent. */
  readonly axis?: Axis;
  /** Each line's label stands at its end. */
  readonly endLabels?: boolean;
  /** Shown only once it has left 0: most runs never need it. */
  readonly quiet?: boolean;
}

const dashed = [6, 4];
const dotted = [2, 3];
/** There are as many colours. */
const maxKinds = 8;

export const prominent: readonly ChartSpec[] = [
  {
    ...charts.success,
    unit: 'share',
    range: [0, 1],
    ghost: true,
    series: [
      { key: 'validation', label: series.unseen, colour: 'series-1', points: true, value: (m) => m.validationSuccess },
      { key: 'success', label: series.practice, colour: 'series-2', dash: dashed, value: (m) => m.success },
    ],
  },
  {
    ...charts.reward,
    unit: 'number',
    series: [
      {
        key: 'reward',
        label: series.meanReward,
        colour: 'series-3',
        value: (m) => m.rewardMean,
        spread: (m) => m.rewardStd,
      },
    ],
  },
  {
    ...charts.entropy,
    unit: 'number',
    fromZero: true,
    series: [{ key: 'entropy', label: series.perToken, colour: 'series-4', value: (m) => m.entropy }],
  },
  {
    ...charts.kl,
    unit: 'number',
    fromZero: true,
    series: [{ key: 'kl', label: series.perToken, colour: 'series-5', points: true, value: (m) => m.kl }],
  },
];

/** Success on unseen tasks of each kind; null where tasks have no kinds. */
export function kindsSpec(metrics: readonly Metrics[]): ChartSpec | null {
  const kinds = Object.keys(metrics.find(({ validationSuccess }) => validationSuccess !== null)?.validationByTag ?? {});
  if (kinds.length === 0) return null;
  return {
    ...charts.kinds,
    unit: 'share',
    range: [0, 1],
    series: kinds.slice(0, maxKinds).map((kind, i) => ({
      key: `kind ${kind}`,
      label: kind,
      colour: `series-${i + 1}`,
      dash: [undefined, dashed, dotted][i % 3],
      points: true,
      value: (m) => m.validationByTag?.[kind] ?? null,
    })),
  };
}

export const more: readonly ChartSpec[] = [
  {
    ...charts.clipFraction,
    unit: 'share',
    fromZero: true,
    series: [{ key: 'clipFraction', label: series.clipped, colour: 'series-1', value: (m) => m.clipFraction }],
  },
  {
    ...charts.gradientNorm,
    unit: 'number',
    fromZero: true,
    series: [{ key: 'gradientNorm', label: series.norm, colour: 'series-7', value: (m) => m.gradientNorm }],
  },
  {
    ...charts.turns,
    unit: 'number',
    fromZero: true,
    series: [{ key: 'turns', label: series.turns, colour: 'series-3', value: (m) => m.turns }],
  },
  {
    ...charts.toolCalls,
    unit: 'share',
    range: [0, 1],
    series: [
      { key: 'toolCallSuccess', label: series.withoutError, colour: 'series-6', value: (m) => m.toolCallSuccess },
    ],
  },
  {
    ...charts.responseLength,
    unit: 'number',
    fromZero: true,
    series: [{ key: 'responseLength', label: series.tokens, colour: 'series-4', value: (m) => m.responseLength }],
  },
  {
    ...charts.zeroSignalGroups,
    unit: 'share',
    range: [0, 1],
    series: [{ key: 'zeroSignalGroups', label: series.ofGroups, colour: 'series-8', value: (m) => m.zeroSignalGroups }],
  },
  {
    ...charts.tokenRate,
    unit: 'rate',
    fromZero: true,
    series: [
      { key: 'sampleRate', label: series.sampling, colour: 'series-1', value: (m) => m.sampleTokensPerSecond },
      {
        key: 'trainRate',
        label: series.training,
        colour: 'series-2',
        dash: dashed,
        value: (m) => m.trainTokensPerSecond,
      },
    ],
  },
  {
    ...charts.timeSplit,
    unit: 'ms',
    fromZero: true,
    series: [
      { key: 'sampleMs', label: series.sampling, colour: 'series-1', value: (m) => m.sampleMs },
      { key: 'trainMs', label: series.training, colour: 'series-2', dash: dashed, value: (m) => m.trainMs },
      { key: 'environmentMs', label: series.tools, colour: 'series-3', dash: dotted, value: (m) => m.environmentMs },
      {
        key: 'evaluateMs',
        label: series.validation,
        colour: 'series-5',
        dash: [10, 3, 2, 3],
        value: (m) => m.evaluateMs,
      },
    ],
  },
  {
    ...charts.environmentFailures,
    unit: 'share',
    fromZero: true,
    quiet: true,
    series: [
      { key: 'environmentFailures', label: series.ofRollouts, colour: 'series-1', value: (m) => m.environmentFailures },
    ],
  },
  {
    ...charts.killed,
    unit: 'number',
    fromZero: true,
    quiet: true,
    // Runs recorded by an older engine do not count them.
    series: [
      { key: 'killedFuel', label: series.fuel, colour: 'series-1', value: (m) => m.killed?.fuel ?? null },
      {
        key: 'killedMemory',
        label: series.memory,
        colour: 'series-2',
        dash: dashed,
        value: (m) => m.killed?.memory ?? null,
      },
      {
        key: 'killedOther',
        label: series.other,
        colour: 'series-3',
        dash: dotted,
        value: (m) => (m.killed ? m.killed.depth + m.killed.stack + m.killed.trap : null),
      },
    ],
  },
];
