/** What the author of a link reached: success at some iterations. */
import type { Point } from './line-svg';
import type { ValidationPoint } from './link';

export interface Reached {
  /** Iteration, or a place between two, ascending; and success, 0 … 1. */
  readonly points: readonly Point[];
  /** Links written before engine 0.4 know success in practice only. */
  readonly measure: 'unseen' | 'practice';
}

interface Author {
  readonly validation: readonly ValidationPoint[] | null;
  /** Success in practice, evenly over iterations 1 … `reached`. */
  readonly curve: readonly number[] | null;
  readonly reached: number | null;
}

/** Null if the link carries no curve. */
export function reachedBy({ validation, curve, reached }: Author): Reached | null {
  if (validation)
    return { points: validation.map(({ iteration, success }) => ({ x: iteration, y: success })), measure: 'unseen' };
  if (curve === null || reached === null) return null;
  return { points: spread(curve, reached), measure: 'practice' };
}

function spread(curve: readonly number[], span: number): Point[] {
  // All points of a run of one iteration share one x; one point is enough there.
  if (curve.length === 1 || span <= 1) return [{ x: 1, y: curve[curve.length - 1] }];
  return curve.map((y, i) => ({ x: 1 + (i * (span - 1)) / (curve.length - 1), y }));
}
