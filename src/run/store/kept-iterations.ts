/**
 * Which iterations of a run keep a checkpoint: the first, the newest, and between them every k-th, where k is the
 * smallest power of two that makes them few. Pure.
 */

import { spacingOf } from '../../lib/thin';

/** Checkpoints of a run. */
export const maxCheckpoints = 12;

/** Whether a checkpoint is due after a step. @param first and last of the run */
export function isCheckpointDue(step: number, first: number, last: number): boolean {
  return step === last || isOnGrid(step, first, step);
}

/** Those that stay of some steps, ascending, once the newest is among them. @param first of the run */
export function keptSteps(steps: readonly number[], first: number, newest: number): number[] {
  return steps.filter((step) => step === newest || isOnGrid(step, first, newest));
}

/** The first step, all others on the grid and one newest step beside it are at most `maxCheckpoints`. */
const isOnGrid = (step: number, first: number, newest: number): boolean =>
  (step - first) % spacingOf(newest - first + 1, maxCheckpoints - 1) === 0;
