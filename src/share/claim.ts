/**
 * What a run shows of itself to others, in a link, a recording or a save: success at some iterations, and digests of
 * the first ones. It comes from strangers, so it is used only where a run of its settings could have shown it.
 */
import { fingerprintIterations } from '../lib/fingerprint';
import type { ValidationPoint } from './link';
import { validationCurve } from './run-metrics';

/** The settings that decide which iterations are validated. */
export interface Schedule {
  readonly iterations: number;
  readonly evaluation: { readonly every: number };
}

export interface Claim {
  /** Success on unseen tasks. */
  readonly validation: readonly ValidationPoint[] | null;
  /** Iterations that were done; in links, those of a curve of success in practice. */
  readonly reached: number | null;
  readonly fingerprint: readonly string[] | null;
}

/** Of a run with these metrics and digests. */
export function claimOf(metrics: Parameters<typeof validationCurve>[0], fingerprint: readonly string[]): Claim {
  const reached = Math.max(0, ...metrics.map(({ iteration }) => iteration));
  return { validation: validationCurve(metrics), reached, fingerprint };
}

/** Whether an iteration ends with a validation. */
export function isValidated({ iterations, evaluation }: Schedule, iteration: number): boolean {
  return iteration === 1 || iteration % evaluation.every === 0 || iteration === iterations;
}

/** Why no run of these settings can have shown this: a clause for a sentence. Null if one can. */
export function claimProblem(schedule: Schedule, { validation, reached, fingerprint }: Claim): string | null {
  const { iterations, evaluation } = schedule;
  const points = (validation ?? []).map(({ iteration }) => iteration);
  const last = Math.max(0, reached ?? 0, ...points);
  if (last > iterations)
    return `they tell of iteration ${last}, and a run of these settings ends at iteration ${iterations}`;
  const unsorted = points.find((at, i) => i > 0 && at <= points[i - 1]);
  if (unsorted !== undefined) return `iteration ${unsorted} is out of order or comes twice`;
  const never = points.find((at) => !isValidated(schedule, at));
  if (never !== undefined)
    return (
      `iteration ${never} is not validated under these settings, only iteration 1, every ${evaluation.every}th ` +
      `and the last`
    );
  const digests = Math.min(fingerprintIterations, iterations);
  if ((fingerprint?.length ?? 0) > digests)
    return `they have ${fingerprint!.length} fingerprints, and a run of these settings has at most ${digests}`;
  return null;
}
