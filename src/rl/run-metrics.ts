/** What the metrics of a whole run come to. */
import type { ValidationPoint } from '../share/link';
import type { Metrics } from './report';

/** Duration of one iteration. */
export const iterationMs = ({
  sampleMs,
  environmentMs,
  trainMs,
  evaluateMs,
}: Pick<Metrics, 'sampleMs' | 'environmentMs' | 'trainMs' | 'evaluateMs'>): number =>
  sampleMs + environmentMs + trainMs + evaluateMs;

/** Success on unseen tasks wherever a run was validated. */
export function validationCurve(
  metrics: readonly Pick<Metrics, 'iteration' | 'validationSuccess'>[],
): ValidationPoint[] {
  return metrics.flatMap(({ iteration, validationSuccess }) =>
    validationSuccess === null ? [] : [{ iteration, success: validationSuccess }],
  );
}

/** The last success on unseen tasks; null if there was no validation. */
export function lastValidation(metrics: readonly Pick<Metrics, 'validationSuccess'>[]): number | null {
  return metrics.findLast(({ validationSuccess }) => validationSuccess !== null)?.validationSuccess ?? null;
}
