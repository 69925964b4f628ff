/** What each chart draws: its metrics, lines, unit and axis. Draws nothing. */
import type { Metrics } from '../../rl/report';
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

type Value = SeriesSpec['value'];

/** A line in the colour of this number. */
const line = (
  key: string,
  label: string,
  colour: number,
  value: Value,
  rest: Pick<SeriesSpec, 'dash' | 'points' | 'spread'> = {},
): SeriesSpec => ({ key, label, colour: `series-${colour}`, value, ...rest });

const chart = (
  name: keyof typeof charts,
  unit: Unit,
  rest: Pick<ChartSpec, 'range' | 'fromZero' | 'ghost' | 'quiet'>,
  ...lines: readonly SeriesSpec[]
): ChartSpec => ({ ...charts[name], unit, ...rest, series: lines });

/** A chart of one line, which has the chart's name. */
const single = (
  name: keyof typeof charts,
  unit: Unit,
  rest: Pick<ChartSpec, 'range' | 'fromZero' | 'quiet'>,
  label: string,
  colour: number,
  value: Value,
): ChartSpec => chart(name, unit, rest, line(name, label, colour, value));

const fromZero = { fromZero: true };
const wholeShare = { range: [0, 1] } as const;

/** The one that everybody reads. */
export const success: ChartSpec = chart(
  'success',
  'share',
  { ...wholeShare, ghost: true },
  line('validation', series.unseen, 1, (m) => m.validationSuccess, { points: true }),
  line('success', series.practice, 2, (m) => m.success, { dash: dashed }),
);

/** Success on unseen tasks of each kind; null where tasks have no kinds. */
export function kindsSpec(metrics: readonly Metrics[]): ChartSpec | null {
  const kinds = Object.keys(metrics.find(({ validationSuccess }) => validationSuccess !== null)?.validationByTag ?? {});
  if (kinds.length === 0) return null;
  const lines = kinds.slice(0, maxKinds).map((kind, i) =>
    line(`kind ${kind}`, kind, i + 1, (m) => m.validationByTag?.[kind] ?? null, {
      dash: [undefined, dashed, dotted][i % 3],
      points: true,
    }),
  );
  return chart('kinds', 'share', wholeShare, ...lines);
}

export const more: readonly ChartSpec[] = [
  chart(
    'reward',
    'number',
    {},
    line('reward', series.meanReward, 3, (m) => m.rewardMean, { spread: (m) => m.rewardStd }),
  ),
  single('entropy', 'number', fromZero, series.perToken, 4, (m) => m.entropy),
  chart(
    'kl',
    'number',
    fromZero,
    line('kl', series.perToken, 5, (m) => m.kl, { points: true }),
  ),
  single('clipFraction', 'share', fromZero, series.clipped, 1, (m) => m.clipFraction),
  single('gradientNorm', 'number', fromZero, series.norm, 7, (m) => m.gradientNorm),
  single('turns', 'number', fromZero, series.turns, 3, (m) => m.turns),
  chart(
    'toolCalls',
    'share',
    wholeShare,
    line('toolCallSuccess', series.withoutError, 6, (m) => m.toolCallSuccess),
  ),
  single('responseLength', 'number', fromZero, series.tokens, 4, (m) => m.responseLength),
  single('zeroSignalGroups', 'share', wholeShare, series.ofGroups, 8, (m) => m.zeroSignalGroups),
  chart(
    'tokenRate',
    'rate',
    fromZero,
    line('sampleRate', series.sampling, 1, (m) => m.sampleTokensPerSecond),
    line('trainRate', series.training, 2, (m) => m.trainTokensPerSecond, { dash: dashed }),
  ),
  chart(
    'timeSplit',
    'ms',
    fromZero,
    line('sampleMs', series.sampling, 1, (m) => m.sampleMs),
    line('trainMs', series.training, 2, (m) => m.trainMs, { dash: dashed }),
    line('environmentMs', series.tools, 3, (m) => m.environmentMs, { dash: dotted }),
    line('evaluateMs', series.validation, 5, (m) => m.evaluateMs, { dash: [10, 3, 2, 3] }),
  ),
  single(
    'environmentFailures',
    'share',
    { fromZero: true, quiet: true },
    series.ofRollouts,
    1,
    (m) => m.environmentFailures,
  ),
  // Runs recorded by an older engine do not count them.
  chart(
    'killed',
    'number',
    { fromZero: true, quiet: true },
    line('killedFuel', series.fuel, 1, (m) => m.killed?.fuel ?? null),
    line('killedMemory', series.memory, 2, (m) => m.killed?.memory ?? null, { dash: dashed }),
    line('killedOther', series.other, 3, otherKills, { dash: dotted }),
  ),
];

function otherKills({ killed }: Metrics): number | null {
  return killed ? killed.depth + killed.stack + killed.trap : null;
}
