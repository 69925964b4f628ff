/** What the page knows of a run, kept beside its checkpoint so that a restored run can be shown as it was. Bounded, however long the run. */
import type { Metrics, RolloutView } from './protocol';

/** Iterations whose metrics are kept. */
const metricsLimit = 1000;
/** Rollouts kept, of the last iteration. */
const rolloutLimit = 64;

export interface HistoryState {
  /** Ascending by iteration; of a long run not every one, but always the newest. */
  readonly metrics: readonly Metrics[];
  readonly rollouts: readonly RolloutView[];
  readonly warmLosses: readonly { readonly step: number; readonly loss: number }[];
  /** Success of every iteration, 0 … 1. */
  readonly curve: readonly number[];
}

export const emptyHistory: HistoryState = { metrics: [], rollouts: [], warmLosses: [], curve: [] };

export class History {
  /** Iterations are kept whose number is a multiple of this. */
  private stride = 1;

  constructor(private now: HistoryState) {}

  /** The history as it is; what is added later does not change it. */
  get state(): HistoryState {
    return this.now;
  }

  get curve(): readonly number[] {
    return this.now.curve;
  }

  addLoss(step: number, loss: number): void {
    this.now = { ...this.now, warmLosses: [...this.now.warmLosses, { step, loss }] };
  }

  addIteration(metrics: Metrics, rollouts: readonly RolloutView[]): void {
    const { metrics: before, curve } = this.now;
    this.now = {
      ...this.now,
      metrics: this.thin([...before, metrics]),
      rollouts: rollouts.slice(0, rolloutLimit),
      curve: [...curve, metrics.success],
    };
  }

  private thin(metrics: readonly Metrics[]): readonly Metrics[] {
    const keep = ({ iteration }: Metrics, i: number) => iteration === 1 || iteration % this.stride === 0 || i === metrics.length - 1;
    while (metrics.filter(keep).length > metricsLimit) this.stride *= 2;
    return this.stride === 1 ? metrics : metrics.filter(keep);
  }
}
