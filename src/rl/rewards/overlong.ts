/**
 * DAPO's soft penalty for episodes that are too long.
 *
 *   penalty(n) = min(−factor · (n − (longest − buffer)) / buffer, 0)        n = agent tokens
 *
 * Yu et al. 2025 (arXiv 2503.14476), section 3.4. Keeps: the slope beyond `longest`, as implementations do; the paper
 * stops at −factor.
 */
export interface Overlong {
  /** Agent tokens at which the penalty is `factor`. */
  readonly longest: number;
  /** Tokens before `longest` in which the penalty grows. */
  readonly buffer: number;
  readonly factor: number;
}

/** 0 or less. */
export function overlongPenalty(length: number, { longest, buffer, factor }: Overlong): number {
  const over = length - (longest - buffer);
  return over <= 0 ? 0 : (-over / buffer) * factor;
}
