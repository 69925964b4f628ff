/** The record of a run that is stored beside its weights, and the visitor's label for it. Types only. */
import type { RunConfig } from '../../config/config';
import type { Metrics } from '../../rl/report';
import type { RolloutView } from '../../rl/rollouts/view';
import type { ValidationPoint } from '../../share/link';

/** A run saved in this browser. */
export interface SavedRun {
  readonly id: string;
  readonly config: RunConfig;
  /** Title of its environment. */
  readonly title: string;
  /** Milliseconds since 1970. */
  readonly savedAtMs: number;
  readonly iteration: number;
  /** Completed steps of the warm start. */
  readonly warmSteps: number;
  readonly finished: boolean;
  /** Hex digests of its first iterations. Absent in saves of earlier versions, like all that follows. */
  readonly fingerprint?: readonly string[];
  readonly engineVersion?: string;
  readonly adapter?: string;
  /** Id of the parent: the run whose state this one started from. */
  readonly parent?: string;
  /** Iterations after which the config was changed, ascending. `config` is the newest; the curve is of them all. */
  readonly configChanges?: readonly number[];
}

/** A visitor's label for a run. */
export interface RunLabel {
  /** Empty: the name that comes of its id. */
  readonly name: string;
  readonly note: string;
  /** Not listed any more, and gone when the trainer starts next. */
  readonly deleted: boolean;
}

/** A run in the list of all runs. */
export interface KeptRun extends SavedRun, RunLabel {
  /** Success in practice over the run: few values, evenly spread. */
  readonly curve: readonly number[];
  /** Its last success on unseen tasks. */
  readonly validation: number | null;
  /** Success on unseen tasks, ascending and evenly thinned. Absent in what earlier versions kept. */
  readonly unseen?: readonly ValidationPoint[];
  /** Its weights are kept, too, so it can go on. */
  readonly resumable: boolean;
  /** It is in the trainer and has not ended. */
  readonly here: boolean;
}

/** What is kept of a run beside its weights. */
export interface RunRecord {
  /** Ascending by iteration; of a long run not every iteration. */
  readonly metrics: readonly Metrics[];
  /** Some of a group of some iterations, the last among them. */
  readonly rollouts: readonly RolloutView[];
}
