/**
 * Thinning of a growing series to a bounded number of points: of each bucket of 1, 2, 4 … places one position stays,
 * and the newest always does. The size of the buckets depends on the newest position alone, so points stay even.
 */

export interface ThinRule<T> {
  /** Maximum number of points. */
  readonly limit: number;
  /** Position of a point: 1, 2, 3 …; ascending. Points at one position stay together. */
  readonly at: (point: T) => number;
  /** Whether a position with this point is preferred to others of its bucket; else the first one stays. */
  readonly matters?: (point: T) => boolean;
}

/** The smallest power of two that goes into a span at most `limit` times. */
export function spacingOf(span: number, limit: number): number {
  let spacing = 1;
  while (span / spacing > limit) spacing *= 2;
  return spacing;
}

/** At most `limit` points, ascending. */
export function thin<T>(points: readonly T[], rule: ThinRule<T>): readonly T[] {
  const { limit, at } = rule;
  if (points.length === 0) return points;
  const newest = at(points[points.length - 1]);
  let kept = points;
  for (let size = spacingOf(newest - 1, limit - 1); ; size *= 2) {
    if (size > 1) kept = oneOfEachBucket(kept, size, rule);
    if (kept.length <= limit) return kept;
    // Nothing but the newest position and one before it, and still too many points.
    if (size >= newest) return kept.slice(kept.length - limit);
  }
}

/** Adds a point and thins. Points at its position or later are removed: the series was rolled back. */
export function thinWith<T>(points: readonly T[], added: T, rule: ThinRule<T>): readonly T[] {
  let length = points.length;
  while (length > 0 && rule.at(points[length - 1]) >= rule.at(added)) length--;
  return thin([...points.slice(0, length), added], rule);
}

function oneOfEachBucket<T>(points: readonly T[], size: number, rule: ThinRule<T>): readonly T[] {
  const { at, matters = () => false } = rule;
  const newest = at(points[points.length - 1]);
  const bucketOf = (point: T) => Math.floor((at(point) - 1) / size);
  const chosen = new Map<number, T>();
  for (const point of points) {
    if (at(point) === newest) break;
    const before = chosen.get(bucketOf(point));
    if (before === undefined || (matters(point) && !matters(before))) chosen.set(bucketOf(point), point);
  }
  return points.filter((point) => at(point) === newest || at(chosen.get(bucketOf(point))!) === at(point));
}
