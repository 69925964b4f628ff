/** Where the page gets drawings of rollouts from. */
import type { Drawing } from '../../../agent/drawing';
import type { RolloutView } from '../../../rl/rollouts/view';

export interface DrawingSource {
  /** The world of the displayed run draws itself. */
  readonly draws: boolean;
  /** Null while there is nobody to ask. Null is also its answer where there is no drawing. */
  readonly of: ((rollout: RolloutView) => Promise<Drawing | null>) | null;
}

/** Drawings of rollouts in their order; null where there are none. */
export type DrawMany = (rollouts: readonly RolloutView[]) => Promise<readonly Drawing[] | null>;
