/** The report of an environment's check: lines for a person. */
import type { LimitName } from '../lib/proposed-limits';
import type { Trajectory } from '../agent/types';

/** `problem` lines are reasons not to train; `note` lines are worth a look. */
export interface ReportLine {
  readonly kind: 'good' | 'note' | 'problem';
  readonly text: string;
  /** Fields that, with these values, lift the limits that the line names; absent where no field can. */
  readonly lifts?: readonly Lift[];
}

export interface Lift {
  /** As in links and on the command line. */
  readonly key: LimitName;
  /** As in the page. */
  readonly title: string;
  readonly value: number;
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
