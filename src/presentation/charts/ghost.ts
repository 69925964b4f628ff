/** The ghost: success of a link's author or of the recorded run, drawn behind the displayed run. Pure. */
import type { OpenedLink } from '../../config/run-link';
import type { Metrics } from '../../rl/report';
import type { Point } from '../../share/line-svg';
import { reachedBy } from '../../share/reached';
import { validationCurve } from '../../share/run-metrics';
import { text } from './text';

export interface Ghost {
  readonly name: string;
  /** Iteration, or a place between two, ascending; and success, 0 … 1. At least one. */
  readonly points: readonly Point[];
}

export function ghostOfAuthor(author: OpenedLink): Ghost | null {
  const reached = reachedBy(author);
  if (!reached) return null;
  return { points: reached.points, name: reached.measure === 'unseen' ? text.authorRun : text.authorPractice };
}

export function ghostOfRecording(metrics: readonly Metrics[]): Ghost | null {
  const points = validationCurve(metrics).map(({ iteration, success }) => ({ x: iteration, y: success }));
  return points.length === 0 ? null : { points, name: text.recordedRun };
}
