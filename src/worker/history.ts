/**
 * What the page shows of a run, saved beside its checkpoint. Bounded for a run of any length, except the curve: one
 * number an iteration.
 */
import type { WarmLoss } from './protocol';
import type { Metrics } from '../rl/report';
import type { RolloutView } from '../rl/rollouts/view';

const maxPoints = 1000;
/** Of the last iteration. */
const maxRollouts = 64;
/** Iterations of which some rollouts are kept for good, and how many of each. */
const maxSamples = 8;
const sampleSize = 4;

/** Rollouts of one group. */
export interface Sample {
  readonly iteration: number;
  readonly rollouts: readonly RolloutView[];
}

export interface HistoryState {
  /** Ascending by iteration, thinned: always with the newest, and iterations with a validation are preferred. */
  readonly metrics: readonly Metrics[];
  readonly rollouts: readonly RolloutView[];
  /** Ascending by iteration, spread over the run. Absent in saves of earlier versions. */
  readonly samples?: readonly Sample[];
  /** Ascending by step, thinned. */
  readonly warmLosses: readonly WarmLoss[];
  /** Success of every iteration, 0 … 1. */
  readonly curve: readonly number[];
}

export const emptyHistory: HistoryState = { metrics: [], rollouts: [], warmLosses: [], curve: [] };

export class History {
  constructor(private now: HistoryState) {}

  /** Immutable: later additions do not change it. */
  get state(): HistoryState {
    return this.now;
  }

  get curve(): readonly number[] {
    return this.now.curve;
  }

  addLoss(step: number, loss: number): void {
    this.now = {
      ...this.now,
      warmLosses: thinned([...this.now.warmLosses, { step, loss }], maxPoints, (each) => each.step),
    };
  }

  addIteration(metrics: Metrics, rollouts: readonly RolloutView[]): void {
    const { metrics: before, samples = [], curve } = this.now;
    const { iteration } = metrics;
    this.now = {
      ...this.now,
      metrics: thinned(
        [...before, metrics],
        maxPoints,
        (each) => each.iteration,
        (each) => each.validationSuccess !== null,
      ),
      rollouts: rollouts.slice(0, maxRollouts),
      samples: thinned([...samples, { iteration, rollouts: sampleOf(rollouts) }], maxSamples, (each) => each.iteration),
      curve: [...curve, metrics.success],
    };
  }
}

/** The best, the worst and others of the group whose rewards differ most. */
function sampleOf(rollouts: readonly RolloutView[]): readonly RolloutView[] {
  const ranked = [...new Set(rollouts.map(({ group }) => group))].map((group) =>
    rollouts.filter((each) => each.group === group).sort((a, b) => b.reward - a.reward),
  );
  const spread = (group: readonly RolloutView[]) => group[0].reward - group[group.length - 1].reward;
  const [widest] = ranked.sort((a, b) => spread(b) - spread(a));
  return widest === undefined ? [] : [...widest.slice(0, sampleSize - 1), ...widest.slice(sampleSize - 1).slice(-1)];
}

/**
 * The newest point, and one point of each bucket of 1, 2, 4 … before it: at most `limit`.
 * @param at position of a point: 1, 2, 3 …; ascending
 * @param matters whether a point is preferred to others of its bucket
 */
function thinned<T>(
  points: readonly T[],
  limit: number,
  at: (point: T) => number,
  matters: (point: T) => boolean = () => false,
): readonly T[] {
  const newest = points[points.length - 1];
  let bucketSize = 1;
  while ((at(newest) - 1) / bucketSize > limit - 1) bucketSize *= 2;
  if (bucketSize === 1) return points;
  const kept = new Map<number, T>();
  for (const point of points.slice(0, -1)) {
    const bucket = Math.floor((at(point) - 1) / bucketSize);
    const before = kept.get(bucket);
    if (before === undefined || (matters(point) && !matters(before))) kept.set(bucket, point);
  }
  return [...kept.values(), newest];
}
