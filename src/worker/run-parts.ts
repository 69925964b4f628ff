/** What a run in the trainer worker is given: its surroundings, and the order that begins it. */
import type { Sandbox } from '../agent/sandbox';
import type { DeviceChoice, DeviceKind } from '../device/choice';
import type { Device } from '../device/device';
import type { RunConfig } from '../rl/config/config';
import type { OpenedLink } from '../rl/config/run-link';
import type { TrainerHooks } from '../rl/trainer';
import type { RunEvent } from './protocol';
import type { RunSnapshot } from './run-snapshot';
import type { SavedRuns } from './saved-runs';
import type { TabLock } from './tab-lock';
import type { CheckpointStore } from './timeline';

/** What a run uses of its surroundings. */
export interface RunParts {
  /** What a run with this choice begins on. */
  readonly deviceFor: (choice: DeviceChoice) => Promise<DeviceKind>;
  /** Returns a device without taint: the open one, or a new one. */
  readonly openDevice: (kind: DeviceKind) => Promise<Device>;
  readonly openSandbox: () => Promise<Sandbox>;
  readonly readRecordedStart: TrainerHooks['readRecordedStart'];
  readonly saved: Pick<SavedRuns, 'save'>;
  /** Null for a run that keeps none. */
  readonly checkpoints: CheckpointStore | null;
  readonly tabLock: TabLock;
  readonly emit: (event: RunEvent) => void;
}

export interface RunOrder {
  /** Its key among the saved runs. */
  readonly id: string;
  readonly config: RunConfig;
  readonly author: OpenedLink | null;
  /** State to continue from; null starts at the beginning. */
  readonly snapshot: RunSnapshot | null;
  /** Iterations of the checkpoints that are kept of this run already, ascending. */
  readonly checkpoints?: readonly number[];
  /** Id of the run from a state of which it begins. */
  readonly parent?: string;
  /** Iterations after which the config changed, ascending. */
  readonly configChanges?: readonly number[];
}
