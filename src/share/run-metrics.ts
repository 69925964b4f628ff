/** What the metrics of a whole run come to. */
import type { ValidationPoint } from './link';

/** Milliseconds by phase. */
interface Durations {
  readonly sampleMs: number;
  readonly environmentMs: number;
  readonly trainMs: number;
  readonly evaluateMs: number;
}

interface Validated {
  readonly iteration: number;
  /** Null where nothing was validated. */
  readonly validationSuccess: number | null;
}

/** Duration of one iteration. */
export const iterationMs = ({ sampleMs, environmentMs, trainMs, evaluateMs }: Durations): number =>
  sampleMs + environmentMs + trainMs + evaluateMs;

/** Success on unseen tasks wherever a run was validated. */
export const validationCurve = (metrics: readonly Validated[]): ValidationPoint[] =>
  metrics.flatMap(({ iteration, validationSuccess: success }) => (success === null ? [] : [{ iteration, success }]));

/** The last success on unseen tasks; null if there was no validation. */
export const lastValidation = (metrics: readonly Validated[]): number | null =>
  validationCurve(metrics).at(-1)?.success ?? null;
