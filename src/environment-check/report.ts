/** The report of an environment's check: lines for a person. */
import type { Trajectory } from '../agent/types';

/** `problem` lines are reasons not to train; `note` lines are worth a look. */
export interface ReportLine {
  readonly kind: 'good' | 'note' | 'problem';
  readonly text: string;
}

export interface EnvironmentReport {
  /** Of the environment. */
  readonly title: string;
  /** Tasks that were played. */
  readonly tasks: number;
  /** Tasks that the oracle solved, else the demonstrations; null if the environment has neither. */
  readonly solved: number | null;
  readonly lines: readonly ReportLine[];
}

/** One way to play all tasks. */
export interface Play {
  /** Who plays, as the subject of a sentence. */
  readonly who: string;
  readonly trajectories: readonly Trajectory[];
}
