/** Dependencies of a run: devices, sandbox, storage, events; and the spec that it begins from. */
import type { Sandbox } from '../agent/sandbox';
import type { DeviceChoice, DeviceKind } from '../device/choice';
import type { Device } from '../device/device';
import type { RunConfig } from '../config/config';
import type { OpenedLink } from '../config/run-link';
import type { IterationResult, TrainerHooks } from '../rl/trainer';
import type { RunEvent } from './events';
import type { Session } from './session';
import type { RunSnapshot } from './store/run-snapshot';
import type { SavedRuns } from './store/saved-runs';
import type { TabLock } from './tab-lock';
import type { CheckpointStore } from './timeline';

/**
 * What the owner of a run does while it stands between two updates. Where there is one, `save` alone saves the run, and
 * nothing is asked for a page to show.
 */
export interface RunStages {
  /** The trainer stands: at the beginning, at a restored state, or again after a fault. */
  readonly opened: (session: Session, save: () => Promise<void>, recovering: boolean) => Promise<void>;
  /** The warm start is done, now or before. */
  readonly warmed: (session: Session, save: () => Promise<void>) => Promise<void>;
  readonly iterated: (result: IterationResult, save: () => Promise<void>) => Promise<void>;
  readonly onSize: NonNullable<TrainerHooks['onSize']>;
  readonly onWarmLoss: TrainerHooks['onWarmLoss'];
}

/** The services that a run calls. */
export interface RunParts {
  /** What a run with this choice begins on. */
  readonly deviceFor: (choice: DeviceChoice) => Promise<DeviceKind>;
  /** Returns a device without uncapturedError: the open one, or a new one. */
  readonly openDevice: (kind: DeviceKind) => Promise<Device>;
  readonly openSandbox: () => Promise<Sandbox>;
  readonly readRecordedStart: TrainerHooks['readRecordedStart'];
  readonly openModel?: TrainerHooks['openModel'];
  readonly saved: Pick<SavedRuns, 'save'>;
  /** Null for a run that keeps none. */
  readonly checkpoints: CheckpointStore | null;
  readonly tabLock: TabLock;
  readonly emit: (event: RunEvent) => void;
  readonly stages?: RunStages;
}

export interface RunSpec {
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
