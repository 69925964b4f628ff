/**
 * One run of the page or of a terminal, from its start to its end: it trains, reports by events, saves itself, and
 * recovers from a lost device or broken numbers. A new config is a new run.
 */
import type { DeviceKind } from '../device/choice';
import { DeviceLost } from '../device/device';
import { readCheckpointHead, restoreCheckpoint } from '../rl/checkpoint';
import type { RunConfig } from '../config/config';
import { engineVersion, type RunSoFar } from '../config/run-link';
import { titleOfRun } from '../config/run-title';
import { warmStartKind } from '../rl/learner/recorded-start';
import type { TemplateReading } from '../rl/diagnostics/template-reading';
import type { ChatListener } from '../rl/rollouts/chat';
import type { RolloutView } from '../rl/rollouts/view';
import { requireHealthyDevice, iterations, warmUp } from '../rl/run';
import { validationCurve } from '../share/run-metrics';
import type { TrainerHooks } from '../rl/trainer';
import { vocabularyOf } from '../text/tokenizer';
import { Autosave, type SavedState } from './autosave';
import { faultOf, RunFault } from './faults';
import { Captures } from './captures';
import { Gate, RunDropped } from './gate';
import { emptyHistory, History } from './history';
import { LiveText } from './live-text';
import type { RunEvent, RunNotice } from './events';
import { Recovery, reopenDevice } from './recovery';
import { reproductionOf } from './reproduction';
import { engineDiffers, updatesSkipped } from './run-notices';
import type { RunSpec, RunParts } from './run-parts';
import { shownState, type RunPhase } from './run-state';
import { answeredNow, askBefore, type SameTasks } from './same-tasks';
import { Session } from './session';
import { Timeline } from './timeline';

/** Thrown inside the warm start of a run that was stopped. */
class RunStopped extends Error {}

export class Run {
  readonly gate: Gate;
  readonly config: RunConfig;
  private readonly emit: (event: RunEvent) => void;
  private readonly autosave: Autosave;
  private readonly timeline: Timeline | null;
  private readonly captures: Captures;
  private readonly recovery = new Recovery();
  private history: History;
  private session: Session | null = null;
  /** The run pauses after this iteration. */
  private pauseAfter = Infinity;
  private readonly liveText: LiveText;
  /** Of the run's first session: the others stay on it. */
  private device: DeviceKind | null = null;
  private done: Promise<void> = Promise.resolve();
  /** What ended a run that failed. */
  private failure: unknown = null;
  private stopping = false;
  constructor(
    private readonly parts: RunParts,
    readonly spec: RunSpec,
  ) {
    this.config = spec.config;
    this.emit = parts.emit;
    this.liveText = new LiveText(parts.emit);
    this.history = new History(spec.snapshot?.history ?? emptyHistory);
    this.autosave = new Autosave(parts.saved, spec.snapshot, parts.emit);
    const { id, checkpoints = [] } = spec;
    this.timeline = parts.checkpoints && new Timeline(id, parts.checkpoints, checkpoints, parts.emit);
    this.captures = new Captures(spec, () => this.history, this.autosave, this.timeline);
    this.gate = new Gate((phase) => this.tellPhase(phase));
  }

  /** Returns at once; events report the end. @param iterations how many to do before pausing */
  start(iterations: number): void {
    this.pauseAfter = this.iteration + iterations;
    this.gate.send('start');
    this.done = this.runWithRecovery()
      .then(() => this.gate.send('finish'))
      .catch((error: unknown) => {
        if (error instanceof RunDropped) return;
        this.failure = error;
        this.gate.send('fail');
      })
      .finally(() => {
        this.parts.tabLock.release();
        this.captures.rejectAll('The run ended before it could be saved.');
      });
  }

  /** Tells the state. The only place that does. */
  private tellPhase(phase: RunPhase): void {
    const state = shownState(phase);
    if (state === 'failed') {
      const { message, remedy } = faultOf(this.failure, this.autosave.last ? 'resume' : 'start-over');
      this.emit({ type: 'state', state, message, remedy });
    } else if (state) this.emit({ type: 'state', state });
    if (state === 'paused') void this.save();
  }

  /** Lets a paused run do this many more iterations. */
  resume(iterations: number): void {
    if (!this.gate.isClosed) return;
    this.pauseAfter = this.iteration + iterations;
    this.gate.send('resume');
  }

  /** Ends the run after this iteration, or at once in the warm start; its state is saved as at the end. */
  stop(): void {
    this.stopping = true;
  }

  /** Resolves when the run has ended and its state is stored. Rejects with what ended it. */
  async ended(): Promise<void> {
    await this.done;
    await this.autosave.written();
    if (this.failure !== null) throw this.failure;
  }

  async pause(): Promise<void> {
    if (!this.gate.hasEnded) await this.gate.requestPause();
  }

  /** Ends the run and frees its memory. */
  async drop(): Promise<void> {
    this.gate.send('drop');
    await this.done;
    await this.captures.settled();
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
    return this.spec.id;
  }

  /** What a link of its config can carry; null without an iteration, and where another config made some of them. */
  get soFar(): RunSoFar | null {
    if (!this.session || this.iteration === 0 || this.spec.configChanges) return null;
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
    const checkpoint = this.captures.request();
    if (this.gate.hasEnded || this.gate.isWaiting)
      this.captures.beside(this.session, (error) => this.gate.interrupt(error));
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

  /** Rejects with a sentence if there is no answer. */
  async chat(message: string, listener: ChatListener): Promise<void> {
    await this.agent.chat.ask(message, listener);
  }

  /** What the model's own chat template makes of a rollout; null where it has none, or no agent is here. */
  readTemplate(rollout: RolloutView): TemplateReading | null {
    return this.session?.tokens.readTemplate(rollout) ?? null;
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
        this.gate.send('recover');
        this.replayLost();
      }
    }
  }

  /** Lets a paused run repeat the iterations that the fault lost, and pause again at the same one. */
  private replayLost(): void {
    const lastGood = this.autosave.last?.history.curve.length ?? 0;
    if (!this.gate.isClosed || this.iteration === lastGood) return;
    this.pauseAfter = this.iteration;
    this.gate.send('resume');
  }

  /** @throws the error that ends the run, if it cannot recover from this one */
  private async recoveryNotice(error: unknown): Promise<RunNotice> {
    if (error instanceof RunDropped || error instanceof RunFault) throw error;
    const { session } = this;
    const cause = session ? await session.device.causeOf(error) : error;
    if (session && !(cause instanceof DeviceLost)) requireHealthyDevice(session.device);
    const { warmSteps, iteration } = session?.trainer.progress ?? { warmSteps: 0, iteration: 0 };
    return this.recovery.after(cause, warmSteps + iteration);
  }

  private async runOnce(recovering: boolean): Promise<void> {
    const { config, gate, emit } = this;
    const { configChanges = [] } = this.spec;
    emit({ type: 'begun', id: this.id, config, warmStart: warmStartKind(config), configChanges });
    const session = await this.openSession(recovering);
    const { trainer } = session;
    const { stages } = this.parts;
    const save = () => this.saveNow(session);
    try {
      await stages?.opened(session, save, recovering);
      await warmUp(trainer);
      gate.send('prepared');
      await stages?.warmed(session, save);
      if (!this.stopping) await this.iterate(session, save);
    } catch (error) {
      if (!(error instanceof RunStopped)) throw error;
    }
    if (trainer.isBetweenUpdates) await (stages ? save() : this.captures.take(session));
  }

  /** Also after an update that was skipped, and waits until it is stored. */
  private async saveNow(session: Session): Promise<void> {
    await this.captures.take(session, true);
    await this.autosave.written();
  }

  private async iterate(session: Session, save: () => Promise<void>): Promise<void> {
    const { config, gate, emit } = this;
    const { stages } = this.parts;
    const { trainer } = session;
    if (trainer.progress.iteration === 0 && !stages)
      this.showSameTasks(await askBefore(trainer, () => this.beforeSubmit()));
    await this.captures.keep(session, this.iteration);
    await this.beforeSubmit();
    for await (const iterated of iterations(trainer)) {
      const { metrics, rollouts } = iterated;
      this.history.addIteration(metrics, rollouts);
      emit({ type: 'iteration', metrics, rollouts, fingerprint: [...trainer.progress.fingerprint] });
      const { sameTasks = [] } = this.history.state;
      if (iterated.validated.length > 0 && !stages) this.showSameTasks(answeredNow(sameTasks, trainer.setup, iterated));
      if (metrics.skippedUpdates > 0) this.tellSkipped(metrics.skippedUpdates, `iteration ${metrics.iteration}`);
      this.compareWithAuthor(session);
      await this.captures.keep(session, this.iteration);
      await stages?.iterated(iterated, save);
      if (this.iteration === config.iterations || this.stopping) break;
      if (this.iteration >= this.pauseAfter) void gate.requestPause();
      await this.beforeSubmit();
    }
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
    const { tokenizer } = trainer.setup.model;
    // Labels of 150,000 tokens take half a second, and a terminal shows none.
    const vocabulary = parts.stages ? [] : vocabularyOf(tokenizer);
    const specialTokens = tokenizer.special.ids;
    const title = titleOfRun(config, trainer.setup.description.title);
    emit({ type: 'started', config, title, vocabulary, specialTokens, parameters: trainer.parameters });
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
      onSize: this.parts.stages?.onSize,
      onWarmLoss: (step, loss, skipped) => {
        this.parts.stages?.onWarmLoss(step, loss, skipped);
        if (skipped > 0) this.tellSkipped(skipped, `step ${step} of the warm start`);
        if (loss === null) return;
        this.history.addLoss(step, loss);
        this.emit({ type: 'warm-loss', step, loss });
      },
      onTurn: (steps) => this.liveText.show(steps),
      onLearned: ({ metrics, rollouts }) => {
        if (metrics.iteration !== 1) return;
        // The validation of the first iteration may take as long as the iteration: the page shows its point before.
        this.emit({ type: 'first-point', metrics, rollouts });
        // Who has seen the point and reloads the page expects to find it again.
        this.autosave.hasten();
      },
      readRecordedStart: this.parts.readRecordedStart,
      openModel: this.parts.openModel,
    };
  }

  /** Waits while paused, and captures the state if that is due or requested. */
  private async beforeSubmit(): Promise<void> {
    await this.gate.wait();
    await this.captures.settled();
    const session = this.session!;
    const { trainer } = session;
    if (this.stopping && !trainer.progress.warm) throw new RunStopped();
    const isDue = !this.parts.stages && this.autosave.isDue && !trainer.lastUpdateSkipped;
    const due = this.captures.isRequested || isDue;
    if (trainer.isBetweenUpdates && due) await this.captures.take(session);
  }

  private tellRestored(session: Session): void {
    this.history = new History(this.autosave.last?.history ?? emptyHistory);
    const { metrics, rollouts, warmLosses, sameTasks = [] } = this.history.state;
    const { iteration, fingerprint: digests } = session.trainer.progress;
    const fingerprint = [...digests];
    this.emit({ type: 'restored', iteration, metrics, rollouts, warmLosses, fingerprint, sameTasks });
    this.compareWithAuthor(session);
  }

  private tellSkipped(count: number, where: string): void {
    this.emit({ type: 'notice', notice: updatesSkipped(count, where) });
  }

  private showSameTasks(sameTasks: SameTasks): void {
    this.history.setSameTasks(sameTasks);
    this.emit({ type: 'same-tasks', sameTasks });
  }

  /** Reports how this run reproduces the run of the link it was begun from. */
  private compareWithAuthor({ trainer }: Session): void {
    const { author } = this.spec;
    if (!author) return;
    const { curve: practice, metrics } = this.history.state;
    const { fingerprint } = trainer.progress;
    const reproduction = reproductionOf(author, { practice, validation: validationCurve(metrics), fingerprint });
    if (reproduction) this.emit({ type: 'reproduction', ...reproduction });
  }
}
