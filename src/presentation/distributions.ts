/** How numbers of one iteration's rollouts are spread: histograms, and each in words. Pure. */
import { formatWithMinus } from './charts/units';
import { exp } from '../lib/portable-math';
import { mean } from '../lib/mean';
import { plural } from '../lib/format';
import type { RolloutView } from '../rl/rollouts/view';
import { text } from './text';

const words = text.distributions;

export interface Bin {
  readonly from: number;
  readonly to: number;
  readonly count: number;
}

export interface Histogram {
  readonly name: string;
  readonly meaning: string;
  /** Adjoining, ascending and of one width. */
  readonly bins: readonly Bin[];
  /** In a sentence. */
  readonly summary: string;
}

/** Bars of a histogram at most. */
const maxBins = 24;

interface Measure {
  readonly name: string;
  readonly meaning: string;
  /** Of whole numbers a bar stands for whole ones. */
  readonly whole?: boolean;
  /** What is counted: rollouts, or the tokens that the agent wrote. */
  readonly unit: 'rollout' | 'token';
  readonly of: (rollout: RolloutView) => readonly number[];
}

const ofTokens = (column: (step: RolloutView['steps'][number]) => readonly number[]) => (rollout: RolloutView) =>
  rollout.steps.flatMap(column);

const measures: readonly Measure[] = [
  { ...words.reward, unit: 'rollout', of: ({ reward }) => [reward] },
  { ...words.advantage, unit: 'token', of: ofTokens(({ advantages }) => advantages) },
  {
    ...words.length,
    whole: true,
    unit: 'rollout',
    of: ({ steps }) => [steps.reduce((count, { tokens }) => count + tokens.length, 0)],
  },
  { ...words.turns, whole: true, unit: 'rollout', of: ({ steps }) => [steps.length] },
  { ...words.probability, unit: 'token', of: ofTokens(({ logProbs }) => logProbs.map(exp)) },
  { ...words.entropy, unit: 'token', of: ofTokens(({ entropies }) => entropies) },
  {
    ...words.ratio,
    unit: 'token',
    of: ofTokens(({ logProbs, references = [] }) => references.map((reference, i) => logProbs[i] - reference)),
  },
];

/** Histograms of what these rollouts hold; a measure of which they hold nothing has none. */
export function histograms(rollouts: readonly RolloutView[]): readonly Histogram[] {
  return measures.flatMap(({ name, meaning, whole = false, unit, of }) => {
    const values = rollouts.flatMap(of).filter(Number.isFinite);
    if (values.length === 0) return [];
    const bins = binsOf(values, whole);
    return [{ name, meaning, bins, summary: summaryOf(values, bins, unit, whole) }];
  });
}

/** The width is 1, 2 or 5 times a power of ten; of whole numbers each bin has its numbers in the middle. */
export function binsOf(values: readonly number[], whole: boolean): readonly Bin[] {
  const [low, high] = endsOf(values);
  const width = Math.max(niceStep((high - low) / (maxBins - 2)), whole ? 1 : 0);
  const shift = whole ? 0.5 : 0;
  // A value at an edge begins a bin, however its quotient is rounded.
  const placeOf = (value: number): number => Math.floor((value + shift) / width + 1e-9);
  const first = placeOf(low);
  const counts = new Array<number>(placeOf(high) - first + 1).fill(0);
  for (const value of values) counts[placeOf(value) - first]++;
  return counts.map((each, i) => ({
    from: (first + i) * width - shift,
    to: (first + i + 1) * width - shift,
    count: each,
  }));
}

/** The least and the greatest; there may be more values than a call takes arguments. */
const endsOf = (values: readonly number[]): readonly [number, number] => [
  values.reduce((a, b) => Math.min(a, b)),
  values.reduce((a, b) => Math.max(a, b)),
];

/** Not less than this; of nothing, a tenth. */
function niceStep(least: number): number {
  if (least <= 0) return 0.1;
  const power = 10 ** Math.floor(Math.log10(least));
  return power * ([1, 2, 5, 10].find((factor) => factor * power >= least * (1 - 1e-9)) ?? 10);
}

function summaryOf(values: readonly number[], bins: readonly Bin[], unit: Measure['unit'], whole: boolean): string {
  const number = (value: number): string => formatWithMinus(value, 'number');
  const [low, high] = endsOf(values);
  const count = plural(values.length, unit);
  if (low === high) return words.equal(count, number(low));
  const fullest = bins.reduce((a, b) => (b.count > a.count ? b : a));
  const inner = whole ? ([fullest.from + 0.5, fullest.to - 0.5] as const) : ([fullest.from, fullest.to] as const);
  const most = inner[0] === inner[1] ? number(inner[0]) : words.range(number(inner[0]), number(inner[1]));
  return words.spread(count, number(low), number(high), number(mean(values)), fullest.count, most);
}
