/** The words beside the progress bar of a run. */
import type { Metrics } from '../rl/report';
import { percent } from './progress';
import { terminalCurve } from './terminal-curve';

/** Characters of the curve. */
const curveWidth = 24;

/** Success in practice, and on unseen tasks with the step at which that was measured. @param metrics at least one */
export function progressNote(metrics: readonly Pick<Metrics, 'iteration' | 'success' | 'validationSuccess'>[]): string {
  const validated = metrics.findLast(({ validationSuccess }) => validationSuccess !== null);
  const unseen =
    validated === undefined
      ? ''
      : `, unseen tasks ${percent(validated.validationSuccess!)} at iteration ${validated.iteration}`;
  const successes = metrics.map(({ success }) => success);
  return `practice ${percent(successes.at(-1)!)}${unseen}  ${terminalCurve(successes, curveWidth, 0, 1)}`;
}
