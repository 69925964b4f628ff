/** Where the behaviour of a run changed, by its success in practice, with a rollout of either side. Pure. */

interface Point {
  readonly iteration: number;
  /** Share of rollouts that solved their task. */
  readonly success: number;
}

interface Rollout {
  readonly iteration: number;
  readonly success: boolean;
}

export interface TurningPoint<Of extends Rollout> {
  /** The first iteration from which success stayed above the middle of its rise. */
  readonly iteration: number;
  readonly from: number;
  readonly to: number;
  /** The last that failed before it, and the first that succeeded from it on; null if none is kept. */
  readonly before: Of | null;
  readonly after: Of | null;
}

/** Less is no change of behaviour. */
const leastRise = 0.2;

/** @param points of the whole run and @param rollouts ascending by iteration */
export function turningPoint<Of extends Rollout>(
  points: readonly Point[],
  rollouts: readonly Of[],
): TurningPoint<Of> | null {
  const [first, last] = [points[0], points.at(-1)];
  if (!first || !last || last.success - first.success < leastRise) return null;
  const middle = (first.success + last.success) / 2;
  const { iteration } = points[points.findLastIndex(({ success }) => success < middle) + 1];
  return {
    iteration,
    from: first.success,
    to: last.success,
    before: rollouts.findLast((each) => each.iteration < iteration && !each.success) ?? null,
    after: rollouts.find((each) => each.iteration >= iteration && each.success) ?? null,
  };
}
