/**
 * DAPO's soft penalty for episodes that are too long.
 *
 *   slope(n) = min(−factor · (n − (longest − buffer)) / buffer, 0)        n = agent tokens
 *   penalty(n) = max(slope(n), −factor)
 *
 * Yu et al. 2025 (arXiv 2503.14476), section 3.4. Keeps: the floor of −factor. Implementations have the slope alone:
 * their limit on the length of a response is `longest`, and an episode of several turns has no such limit.
 */
export interface Overlong {
  /** Agent tokens at which the penalty is `factor`. */
  readonly longest: number;
  /** Tokens before `longest` in which the penalty grows. */
  readonly buffer: number;
  readonly factor: number;
}

/** The slope, 0 or less. */
export function overlongPenalty(length: number, { longest, buffer, factor }: Overlong): number {
  const over = length - (longest - buffer);
  return over <= 0 ? 0 : (-over / buffer) * factor;
}

/** What an episode loses, from −factor to 0. */
export const cappedOverlongPenalty = (length: number, settings: Overlong): number =>
  Math.max(-settings.factor, overlongPenalty(length, settings));
