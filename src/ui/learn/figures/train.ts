/** Curves of the runs that lessons train. Pure. */
import type { Metrics } from '../../../rl/report';
import type { Point } from './curves';

/** The axis of turns reaches at least this far. */
export const highestTurns = 3;

export const curveOf = (metrics: readonly Metrics[], curve: 'success' | 'turns'): Point[] =>
  metrics.map((each) => ({ x: each.iteration, y: each[curve] }));

/** The steps of a run, as its link has them. */
export const stepsOf = (link: string): number => Number(new URLSearchParams(link).get('steps'));
