/** Where the page gets drawings of rollouts from, and how fast they play. */
import type { Drawing } from '../../../agent/drawing';
import type { RolloutView } from '../../../rl/rollouts/view';

export interface DrawingSource {
  /** The world of the displayed run draws itself. */
  readonly draws: boolean;
  /** Null while there is nobody to ask. Null is also its answer where there is no drawing. */
  readonly of: ((rollout: RolloutView) => Promise<Drawing | null>) | null;
}

/** A whole episode takes at most so long: what moves by itself for longer would need a way to stop it. */
const mostMs = 4500;
const usualMs = 800;

/** @param scenes of the episode */
export const frameMs = (scenes: number): number => Math.min(usualMs, mostMs / Math.max(1, scenes));

/** The visitor asked for less motion. */
export const isStill = (): boolean => matchMedia('(prefers-reduced-motion: reduce)').matches;
