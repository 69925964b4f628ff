/**
 * One run in the trainer worker, from its start to its end: it trains, reports to the page by events, saves itself, and
 * recovers from a lost device or broken numbers. A new config is a new run.
 */
import type { LiveStep } from '../agent/flow';
import type { DeviceKind } from '../device/choice';
import { DeviceLost, OutOfDeviceMemory } from '../device/device';
import { readCheckpointHead, restoreCheckpoint, saveCheckpoint } from '../rl/checkpoint';
import type { RunConfig } from '../rl/config/config';
import { engineVersion, type RunSoFar } from '../rl/config/run-link';
import { warmStartKind } from '../rl/learner/recorded-start';
import type { ChatListener } from '../rl/rollouts/chat';
import { demandSoundDevice, iterations, warmUp } from '../rl/run';
import { validationCurve } from '../share/run-metrics';
import type { TrainerHooks } from '../rl/trainer';
import { specialIds, vocabularyOf } from '../text/tokenizer';
import { Autosave, type SavedState } from './autosave';
import { faultOf, RunFault } from './faults';
import { Gate, RunDropped } from './gate';
import { emptyHistory, History } from './history';
import type { RunEvent, RunNotice, SavedRun } from './protocol';
import { Recovery, reopenDevice } from './recovery';
import { reproductionOf } from './reproduction';
import { engineDiffers, updatesSkipped } from './run-notices';
import type { RunOrder, RunParts } from './run-parts';
import type { RunSnapshot } from './run-snapshot';
import { Session } from './session';
import { Timeline } from './timeline';

const liveTextIntervalMs = 100;

interface PendingCheckpoint {
  readonly resolve: (checkpoint: Uint8Array) => void;
  readonly reject: (reason: unknown) => void;
}

export class Run {
  readonly gate: Gate;
  readonly config: RunConfig;
  private readonly emit: (event: RunEvent) => void;
  private readonly autosave: Autosave;
  private readonly timeline: Timeline | null;
  private readonly recovery = new Recovery();
  private history: History;
  private session: Session | null = null;
  /** The run pauses after this iteration. */
  private pauseAfter = Infinity;
  private lastLiveTextMs = 0;
  /** Of the run's first session: the others stay on it. */
  private device: DeviceKind | null = null;
  private done: Promise<void> = Promise.resolve();
  /** A capture in progress while the run is paused; training waits for it. */
  private capturing: Promise<unknown> = Promise.resolve();
  /** Requests that the next capture answers. */
  private pendingCheckpoints: PendingCheckpoint[] = [];

  constructor(
    private readonly parts: RunParts,
    readonly order: RunOrder,
  ) {
    this.config = order.config;
    this.emit = parts.emit;
    this.history = new History(order.snapshot?.history ?? emptyHistory);
    this.autosave = new Autosave(parts.saved, order.snapshot, parts.emit);
    const { id, checkpoints = [] } = order;
    this.timeline = parts.checkpoints && new Timeline(id, parts.checkpoints, checkpoints, parts.emit);
    this.gate = new Gate(() => {
      this.emit({ type: 'state', state: 'paused' });
      void this.save();
    });
  }

  /** Returns at once; events report the end. @param iterations how many to do before pausing */
  start(iterations: number): void {
    this.pauseAfter = this.iteration + iterations;
    this.done = this.runWithRecovery()
      .then(() => this.emit({ type: 'state', state: 'finished' }))
      .catch((error: unknown) => {
        if (error instanceof RunDropped) return;
        const { message, remedy } = faultOf(error, this.autosave.last ? 'resume' : 'start-over');
        this.emit({ type: 'state', state: 'failed', message, remedy });
      })
      .finally(() => {
        this.gate.end();
        this.parts.tabLock.release();
        this.rejectPending('The run ended before it could be saved.');
      });
  }

  /** Lets a paused run do this many more iterations. */
  resume(iterations: number): void {
    this.pauseAfter = this.iteration + iterations;
    this.emit({ type: 'state', state: 'running' });
    this.gate.release();
  }

  async pause(): Promise<void> {
    if (this.gate.hasEnded) return;
    this.emit({ type: 'state', state: 'pausing' });
    await this.gate.requestPause();
  }

  /** Ends the run and frees its memory. */
  async drop(): Promise<void> {
    this.gate.drop();
    await this.done;
    await this.capturing;
    await this.closeSession();
    await this.autosave.written();
    await this.timeline?.written();
  }

  /** The last good state captured by this run, also where storage refused it. */
  get savedState(): SavedState | null {
    return this.autosave.savedState;
  }

  /** Its key among the saved runs. */
  get id(): string {
    return this.order.id;
  }

  /** What a link of its config can carry; null without an iteration, and where another config made some of them. */
  get soFar(): RunSoFar | null {
    if (!this.session || this.iteration === 0 || this.order.configChanges) return null;
    const { trainer, device } = this.session;
    const { fingerprint } = trainer.progress;
    const { name: adapter, kind } = device.adapter;
    return { validation: validationCurve(this.history.state.metrics), fingerprint, adapter, device: kind };
  }

  /**
   * A checkpoint file: of now if the run is paused, of the last good state if it has ended, otherwise as soon as no
   * update is in progress. Rejects with a sentence.
   */
  async checkpoint(): Promise<Uint8Array> {
    const { last } = this.autosave;
    if (this.gate.hasEnded && last) return last.checkpoint;
    if (!this.session) throw new Error('There is nothing to save yet: press Train first.');
    const checkpoint = new Promise<Uint8Array>((resolve, reject) => this.pendingCheckpoints.push({ resolve, reject }));
    if (this.gate.hasEnded || this.gate.isWaiting) this.captureNow(this.session.trainer.isBetweenUpdates);
    return checkpoint;
  }

  /** The state as soon as no update is in progress; a paused run goes on until then. Rejects with a sentence. */
  async saveToBranch(): Promise<SavedState | null> {
    if (this.gate.isClosed) this.resume(Infinity);
    await this.checkpoint();
    return this.savedState;
  }

  /** Captures the state as soon as no update is in progress, and resolves when it is stored. Never rejects. */
  async save(): Promise<void> {
    if (this.session && !this.gate.hasEnded) await this.checkpoint().catch(() => undefined);
    await this.autosave.written();
  }

  /** For a run that is paused or has ended: training captures nothing then. */
  private captureNow(betweenUpdates: boolean): void {
    if (betweenUpdates)
      this.capturing = this.capturing
        .then(() => this.capture())
        .catch((error: unknown) => this.gate.interrupt(error as Error));
    else this.rejectPending('The run stands in the middle of an update: press Step, then save.');
  }

  private rejectPending(reason: string): void {
    for (const { reject } of this.pendingCheckpoints.splice(0)) reject(new Error(reason));
  }

  /** Rejects with a sentence if there is no answer. */
  async chat(message: string, listener: ChatListener): Promise<void> {
    return this.agent.chat.ask(message, listener);
  }

  /** The session with the agent of now. @throws a sentence if there is none */
  get agent(): Session {
    const agentIsLost = this.gate.hasEnded && this.session?.device.lost;
    if (this.session && !agentIsLost) return this.session;
    if (this.gate.hasEnded)
      throw new Error('The run has ended and its agent went with the graphics device: open its last save to ask it.');
    throw new Error('The agent is being prepared: ask again when training goes on.');
  }

  private get iteration(): number {
    return this.history.curve.length;
  }

  /** Runs to the end; a fault that can be recovered from restarts it at the last good state. */
  private async runWithRecovery(): Promise<void> {
    if (!(await this.parts.tabLock.acquire()))
      throw new RunFault(
        'Another tab of this browser is training, and only one can: pause it there and close it, then try again.',
        'try-again',
      );
    for (let recovering = false; ; recovering = true) {
      try {
        await this.runOnce(recovering);
        return;
      } catch (error) {
        const notice = await this.recoveryNotice(error);
        await this.closeSession();
        this.emit({ type: 'notice', notice });
        this.replayLost();
      }
    }
  }

  /** Lets a paused run repeat the iterations that the fault lost, and pause again at the same one. */
  private replayLost(): void {
    const lastGood = this.autosave.last?.history.curve.length ?? 0;
    if (!this.gate.isClosed || this.iteration === lastGood) return;
    this.pauseAfter = this.iteration;
    this.gate.release();
  }

  /** @throws the error that ends the run, if it cannot recover from this one */
  private async recoveryNotice(error: unknown): Promise<RunNotice> {
    if (error instanceof RunDropped || error instanceof RunFault) throw error;
    const { session } = this;
    const cause = session ? await session.device.causeOf(error) : error;
    if (session && !(cause instanceof DeviceLost)) demandSoundDevice(session.device);
    const { warmSteps, iteration } = session?.trainer.progress ?? { warmSteps: 0, iteration: 0 };
    return this.recovery.after(cause, warmSteps + iteration);
  }

  private async runOnce(recovering: boolean): Promise<void> {
    const { config, gate, emit } = this;
    emit({ type: 'state', state: 'preparing' });
    const { configChanges = [] } = this.order;
    emit({ type: 'begun', id: this.id, config, warmStart: warmStartKind(config), configChanges });
    const session = await this.openSession(recovering);
    const { trainer } = session;
    await warmUp(trainer);
    if (!gate.isClosed) emit({ type: 'state', state: 'running' });
    await this.keepCheckpoint();
    await this.beforeSubmit();
    for await (const { metrics, rollouts } of iterations(trainer)) {
      this.history.addIteration(metrics, rollouts);
      emit({ type: 'iteration', metrics, rollouts, fingerprint: [...trainer.progress.fingerprint] });
      if (metrics.skippedUpdates > 0) this.tellSkipped(metrics.skippedUpdates, `step ${metrics.iteration}`);
      this.compareWithAuthor(session);
      await this.keepCheckpoint();
      if (this.iteration === config.iterations) break;
      if (this.iteration >= this.pauseAfter) void gate.requestPause();
      await this.beforeSubmit();
    }
    await this.capture();
  }

  /** Opens a device with the trainer on it, at the last good state if there is one. */
  private async openSession(recovering: boolean): Promise<Session> {
    const { config, parts, emit, gate } = this;
    const kind = (this.device ??= await parts.deviceFor(config.device));
    const open = () => parts.openDevice(kind);
    const device = await (recovering ? reopenDevice(open) : open());
    const checkpoint = this.autosave.last?.checkpoint ?? null;
    const session = await Session.open(device, parts.openSandbox, config, checkpoint, this.hooks(), gate);
    const { trainer } = (this.session = session);
    if (checkpoint) restoreCheckpoint(trainer, checkpoint);
    this.timeline?.goOnFrom(trainer.progress.iteration);
    this.autosave.start();
    const vocabulary = vocabularyOf(trainer.setup.tokenizer);
    const { title } = trainer.setup.description;
    emit({ type: 'started', config, title, vocabulary, specialTokens: specialIds, parameters: trainer.parameters });
    if (checkpoint || recovering) this.tellRestored(session);
    const savedBy = checkpoint ? readCheckpointHead(checkpoint).engineVersion : engineVersion;
    if (savedBy !== engineVersion && !recovering) emit({ type: 'notice', notice: engineDiffers(savedBy) });
    return session;
  }

  private async closeSession(): Promise<void> {
    const { session } = this;
    this.session = null;
    await session?.close();
  }

  private hooks(): TrainerHooks {
    return {
      beforeSubmit: () => this.beforeSubmit(),
      onProgress: (phase, done, total) => this.emit({ type: 'progress', phase, done, total }),
      onWarmLoss: (step, loss, skipped) => {
        if (skipped > 0) this.tellSkipped(skipped, `step ${step} of the warm start`);
        if (loss === null) return;
        this.history.addLoss(step, loss);
        this.emit({ type: 'warm-loss', step, loss });
      },
      onTurn: (steps) => this.showLiveText(steps),
      onLearned: ({ metrics, rollouts }) => {
        // The validation of the first iteration may take as long as the iteration: the page shows its point before.
        if (metrics.iteration === 1) this.emit({ type: 'first-point', metrics, rollouts });
      },
      readRecordedStart: this.parts.readRecordedStart,
    };
  }

  /** Waits while paused, and captures the state if that is due or requested. */
  private async beforeSubmit(): Promise<void> {
    await this.gate.wait();
    await this.capturing;
    const { trainer } = this.session!;
    const due = this.pendingCheckpoints.length > 0 || (this.autosave.isDue && !trainer.lastUpdateSkipped);
    if (trainer.isBetweenUpdates && due) await this.capture();
  }

  /** Captures the state for the pending requests and for the autosave. */
  private async capture(): Promise<void> {
    const pending = this.pendingCheckpoints.splice(0);
    try {
      const startMs = performance.now();
      const snapshot = await this.readState();
      if (!this.session!.trainer.lastUpdateSkipped)
        this.autosave.save(this.describe(), snapshot, performance.now() - startMs);
      for (const { resolve } of pending) resolve(snapshot.checkpoint);
    } catch (error) {
      const cause = await this.session!.device.causeOf(error);
      for (const { reject } of pending) reject(cause);
      // A run that cannot be copied can still be trained.
      if (!(cause instanceof OutOfDeviceMemory)) throw cause;
      this.autosave.postpone();
      this.autosave.complain('There is too little memory to save the run.');
    }
  }

  /** Keeps the state as one of the run's checkpoints, if that is due. */
  private async keepCheckpoint(): Promise<void> {
    const { timeline, iteration, config } = this;
    const { trainer, device } = this.session!;
    if (!timeline?.isDue(iteration, config.iterations) || trainer.lastUpdateSkipped) return;
    try {
      timeline.add(iteration, await this.readState());
    } catch (error) {
      const cause = await device.causeOf(error);
      if (!(cause instanceof OutOfDeviceMemory)) throw cause;
    }
  }

  private async readState(): Promise<RunSnapshot> {
    const { device, trainer, source } = this.session!;
    const checkpoint = await saveCheckpoint(device, trainer, source);
    demandSoundDevice(device);
    return { checkpoint, history: this.history.state };
  }

  private describe(): SavedRun {
    const { device, trainer } = this.session!;
    const { config } = this;
    const { id, parent, configChanges } = this.order;
    const { warmSteps, iteration, fingerprint } = trainer.progress;
    return {
      id,
      config,
      title: trainer.setup.description.title,
      savedAtMs: Date.now(),
      iteration,
      warmSteps,
      finished: iteration === config.iterations,
      fingerprint: [...fingerprint],
      engineVersion,
      adapter: device.adapter.name,
      ...(parent !== undefined && { parent }),
      ...(configChanges && { configChanges }),
    };
  }

  private tellRestored(session: Session): void {
    this.history = new History(this.autosave.last?.history ?? emptyHistory);
    const { metrics, rollouts, warmLosses } = this.history.state;
    const { iteration, fingerprint } = session.trainer.progress;
    this.emit({ type: 'restored', iteration, metrics, rollouts, warmLosses, fingerprint: [...fingerprint] });
    this.compareWithAuthor(session);
  }

  private tellSkipped(count: number, where: string): void {
    this.emit({ type: 'notice', notice: updatesSkipped(count, where) });
  }

  private showLiveText(steps: readonly LiveStep[]): void {
    const now = performance.now();
    const [first] = steps;
    if (now - this.lastLiveTextMs < liveTextIntervalMs || first === undefined) return;
    this.lastLiveTextMs = now;
    this.emit({ type: 'live', prompt: first.task.prompt, text: first.step.action.text });
  }

  /** Reports how this run reproduces the run of the link it was begun from. */
  private compareWithAuthor({ trainer }: Session): void {
    const { author } = this.order;
    if (!author) return;
    const { curve: practice, metrics } = this.history.state;
    const { fingerprint } = trainer.progress;
    const reproduction = reproductionOf(author, { practice, validation: validationCurve(metrics), fingerprint });
    if (reproduction) this.emit({ type: 'reproduction', ...reproduction });
  }
}
