/**
 * What the page shows of a run, saved beside its checkpoint. Bounded for a run of any length, except the curve: one
 * number an iteration.
 */
import { thinWith } from '../lib/thin';
import type { WarmLoss } from './events';
import type { Metrics } from '../rl/report';
import type { RolloutView } from '../rl/rollouts/view';
import type { SameTasks } from './same-tasks';

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
  /** Absent in saves of earlier versions, and before the tasks were tried. */
  readonly sameTasks?: SameTasks;
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

  setSameTasks(sameTasks: SameTasks): void {
    this.now = { ...this.now, sameTasks };
  }

  addLoss(step: number, loss: number): void {
    this.now = {
      ...this.now,
      warmLosses: thinWith(this.now.warmLosses, { step, loss }, { limit: maxPoints, at: (each) => each.step }),
    };
  }

  addIteration(metrics: Metrics, rollouts: readonly RolloutView[]): void {
    const { metrics: before, samples = [], curve } = this.now;
    const { iteration } = metrics;
    this.now = {
      ...this.now,
      metrics: thinWith(before, metrics, {
        limit: maxPoints,
        at: (each) => each.iteration,
        matters: (each) => each.validationSuccess !== null,
      }),
      rollouts: rollouts.slice(0, maxRollouts),
      samples: thinWith(
        samples,
        { iteration, rollouts: sampleOf(rollouts) },
        { limit: maxSamples, at: (each) => each.iteration },
      ),
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
