/**
 * Copies of a run's state: for whoever asks for a checkpoint, for the autosave, and for the run's kept checkpoints. One
 * copy answers all that wait for one.
 */
import { OutOfDeviceMemory } from '../device/device';
import { saveCheckpoint } from '../rl/checkpoint';
import { requireHealthyDevice } from '../rl/run';
import type { Autosave } from './autosave';
import type { History } from './history';
import type { RunSpec } from './run-parts';
import type { Session } from './session';
import type { RunSnapshot } from './store/run-snapshot';
import { savedRunOf } from './store/saved-run-of';
import type { Timeline } from './timeline';

interface Request {
  readonly resolve: (checkpoint: Uint8Array) => void;
  readonly reject: (reason: unknown) => void;
}

export class Captures {
  /** Answered by the next capture. */
  private requests: Request[] = [];
  /** One in progress while the run is paused; training waits for it. */
  private capturing: Promise<unknown> = Promise.resolve();

  constructor(
    private readonly spec: RunSpec,
    private readonly history: () => History,
    private readonly autosave: Autosave,
    private readonly timeline: Timeline | null,
  ) {}

  /** Resolves with the next capture. Rejects with a sentence. */
  request(): Promise<Uint8Array> {
    return new Promise((resolve, reject) => this.requests.push({ resolve, reject }));
  }

  get isRequested(): boolean {
    return this.requests.length > 0;
  }

  /** Resolves when no capture of a paused run is in progress. */
  async settled(): Promise<void> {
    await this.capturing;
  }

  /** For a run that is paused or has ended: training captures nothing then. @param fail takes an error */
  beside(session: Session, fail: (error: Error) => void): void {
    if (session.trainer.isBetweenUpdates)
      this.capturing = this.capturing.then(() => this.take(session)).catch((error: unknown) => fail(error as Error));
    else this.rejectAll('The run stands in the middle of an update: press Step, then save.');
  }

  rejectAll(reason: string): void {
    for (const { reject } of this.requests.splice(0)) reject(new Error(reason));
  }

  /** Captures the state for the requests and for the autosave. @param always also after a skipped update */
  async take(session: Session, always = false): Promise<void> {
    const requests = this.requests.splice(0);
    try {
      const startMs = performance.now();
      const snapshot = await this.read(session);
      if (always || !session.trainer.lastUpdateSkipped)
        this.autosave.save(savedRunOf(this.spec, session), snapshot, performance.now() - startMs);
      for (const { resolve } of requests) resolve(snapshot.checkpoint);
    } catch (error) {
      const cause = await session.device.causeOf(error);
      for (const { reject } of requests) reject(cause);
      // A run that cannot be copied can still be trained.
      if (!(cause instanceof OutOfDeviceMemory)) throw cause;
      this.autosave.postpone();
      this.autosave.reportFailure('There is too little memory to save the run.');
    }
  }

  /** Keeps the state as one of the run's checkpoints, if that is due. */
  async keep(session: Session, iteration: number): Promise<void> {
    const { timeline, spec } = this;
    if (!timeline?.isDue(iteration, spec.config.iterations) || session.trainer.lastUpdateSkipped) return;
    try {
      timeline.add(iteration, await this.read(session));
    } catch (error) {
      const cause = await session.device.causeOf(error);
      if (!(cause instanceof OutOfDeviceMemory)) throw cause;
    }
  }

  private async read({ device, trainer, source }: Session): Promise<RunSnapshot> {
    const checkpoint = await saveCheckpoint(device, trainer, source);
    requireHealthyDevice(device);
    return { checkpoint, history: this.history().state };
  }
}
