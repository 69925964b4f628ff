/** The ghost: success of a link's author or of the recorded run, drawn behind the displayed run. Pure. */
import type { OpenedLink } from '../../../config/run-link';
import type { Metrics } from '../../../rl/report';
import { validationCurve } from '../../../share/run-metrics';
import { text } from './text';

export interface Point {
  /** An iteration, or a place between two. */
  readonly x: number;
  /** Success, 0 … 1. */
  readonly y: number;
}

export interface Ghost {
  readonly name: string;
  /** Ascending by x; at least one. */
  readonly points: readonly Point[];
}

/** What a link's author reached. Links of earlier versions know success in practice only. */
export interface Reached {
  readonly points: readonly Point[];
  readonly measure: 'unseen' | 'practice';
}

/** Null if the link carries no curve. */
export function reachedBy(author: OpenedLink): Reached | null {
  if (author.validation)
    return {
      points: author.validation.map(({ iteration, success }) => ({ x: iteration, y: success })),
      measure: 'unseen',
    };
  if (author.curve === null || author.reached === null) return null;
  return { points: spread(author.curve, author.reached), measure: 'practice' };
}

export function ghostOfAuthor(author: OpenedLink): Ghost | null {
  const reached = reachedBy(author);
  if (!reached) return null;
  return {
    points: reached.points,
    name: reached.measure === 'unseen' ? text.authorRun : text.authorPractice,
  };
}

export function ghostOfRecording(metrics: readonly Metrics[]): Ghost | null {
  const points = validationCurve(metrics).map(({ iteration, success }) => ({ x: iteration, y: success }));
  return points.length === 0 ? null : { points, name: text.recordedRun };
}

/** A curve's values, evenly over iterations 1 … span. */
function spread(curve: readonly number[], span: number): Point[] {
  // All points of a run of one iteration share one x; one point is enough there.
  if (curve.length === 1 || span <= 1) return [{ x: 1, y: curve[curve.length - 1] }];
  return curve.map((y, i) => ({ x: 1 + (i * (span - 1)) / (curve.length - 1), y }));
}
