/**
 * What the page knows of a run, kept beside its checkpoint so that a restored run can be shown as it was. Bounded,
 * however long the run, but for its curve: one number an iteration.
 */
import type { WarmLoss } from './protocol';
import type { Metrics } from '../rl/report';
import type { RolloutView } from '../rl/rollouts/view';

/** Points of a series that are kept. */
const pointLimit = 1000;
/** Rollouts kept, of the last iteration. */
const rolloutLimit = 64;

export interface HistoryState {
  /**
   * Ascending by iteration; of a long run not every one, but always the newest, and one that validated rather than its
   * neighbours.
   */
  readonly metrics: readonly Metrics[];
  readonly rollouts: readonly RolloutView[];
  /** Ascending by step; of a long warm start not every one. */
  readonly warmLosses: readonly WarmLoss[];
  /** Success of every iteration, 0 … 1. */
  readonly curve: readonly number[];
}

export const emptyHistory: HistoryState = { metrics: [], rollouts: [], warmLosses: [], curve: [] };

export class History {
  constructor(private now: HistoryState) {}

  /** The history as it is; what is added later does not change it. */
  get state(): HistoryState {
    return this.now;
  }

  get curve(): readonly number[] {
    return this.now.curve;
  }

  addLoss(step: number, loss: number): void {
    this.now = { ...this.now, warmLosses: thinned([...this.now.warmLosses, { step, loss }], (each) => each.step) };
  }

  addIteration(metrics: Metrics, rollouts: readonly RolloutView[]): void {
    const { metrics: before, curve } = this.now;
    this.now = {
      ...this.now,
      metrics: thinned(
        [...before, metrics],
        (each) => each.iteration,
        (each) => each.validationSuccess !== null,
      ),
      rollouts: rollouts.slice(0, rolloutLimit),
      curve: [...curve, metrics.success],
    };
  }
}

/**
 * The newest point, and of those before it one of each bucket of 1, 2, 4 … places, so that there are `pointLimit` at
 * most.
 * @param at where a point stands: 1, 2, 3 …; ascending
 * @param matters whether a point is kept rather than its neighbours
 */
function thinned<T>(
  points: readonly T[],
  at: (point: T) => number,
  matters: (point: T) => boolean = () => false,
): readonly T[] {
  const newest = points[points.length - 1];
  let bucketSize = 1;
  while ((at(newest) - 1) / bucketSize > pointLimit - 1) bucketSize *= 2;
  if (bucketSize === 1) return points;
  const kept = new Map<number, T>();
  for (const point of points.slice(0, -1)) {
    const bucket = Math.floor((at(point) - 1) / bucketSize);
    const before = kept.get(bucket);
    if (before === undefined || (matters(point) && !matters(before))) kept.set(bucket, point);
  }
  return [...kept.values(), newest];
}
