/**
 * One run in the trainer worker: prepares, warm-starts and iterates until it is done or dropped, tells the page, keeps
 * its state as it goes, and goes on from there by itself when the device is lost or numbers break. It owns the trainer
 * and is never reused; a new config is a new run. It learns of devices, storage and other tabs only through its parts.
 */
import type { LiveStep } from '../agent/flow';
import type { Sandbox } from '../agent/sandbox';
import { DeviceLost, OutOfGpuMemory, type Device } from '../gpu/device';
import { readCheckpointHead, restoreCheckpoint, saveCheckpoint } from '../rl/checkpoint';
import type { ChatListener } from '../rl/rollouts/chat';
import type { RunConfig } from '../rl/config/config';
import { environmentSource } from '../rl/config/environment-source';
import { warmStartKind } from '../rl/learner/recorded-start';
import { engineVersion, validationOf, type RunSoFar } from '../rl/config/run-link';
import { Trainer, type TrainerHooks } from '../rl/trainer';
import { specialIds, vocabularyOf } from '../text/tokenizer';
import { Autosave, type Kept } from './autosave';
import { Conversation } from './conversation';
import { faultOf, RunFault } from './faults';
import { Gate, RunDropped } from './gate';
import { emptyHistory, History } from './history';
import type { OpenedLink, RunEvent, RunNotice } from './protocol';
import { Recovery, reopenDevice } from './recovery';
import { reproductionOf } from './reproduction';
import type { RunState, SavedRuns } from './saved-runs';
import type { Turn } from './turn';

/** Live text at most this often. */
const liveIntervalMs = 100;

/** What a run is given. */
export interface RunParts {
  /** A device without taint: the one that is open, or a new one. */
  readonly openDevice: () => Promise<Device>;
  readonly openSandbox: () => Promise<Sandbox>;
  readonly readRecordedStart: TrainerHooks['readRecordedStart'];
  readonly saved: Pick<SavedRuns, 'save'>;
  readonly turn: Turn;
  readonly emit: (event: RunEvent) => void;
}

/** What a run is to do. */
export interface RunOrder {
  /** Under this it is saved. */
  readonly id: string;
  readonly config: RunConfig;
  readonly author: OpenedLink | null;
  /** Where it goes on from; null begins it. */
  readonly state: RunState | null;
}

/** What stands on one device. */
interface Footing {
  readonly device: Device;
  readonly trainer: Trainer;
  /** Source of the environment as the run was begun with. */
  readonly source: string;
  readonly conversation: Conversation;
  /** Ends the watch for the device's loss: the device outlives the run, and must not hold on to it. */
  readonly unwatch: () => void;
}

interface Asker {
  readonly resolve: (checkpoint: Uint8Array) => void;
  readonly reject: (reason: unknown) => void;
}

export class Run {
  readonly gate: Gate;
  readonly config: RunConfig;
  private readonly id: string;
  private readonly author: OpenedLink | null;
  private readonly emit: (event: RunEvent) => void;
  private readonly autosave: Autosave;
  private readonly recovery = new Recovery();
  private history: History;
  private footing: Footing | null = null;
  /** The run waits at the gate after this many iterations. */
  private stopAt = Infinity;
  private lastLiveMs = 0;
  private done: Promise<void> = Promise.resolve();
  /** A state being taken while the run waits: it does not go on before. */
  private taking: Promise<unknown> = Promise.resolve();
  /** Whoever wants a checkpoint as soon as the state is whole. */
  private askers: Asker[] = [];

  constructor(
    private readonly parts: RunParts,
    { id, config, author, state }: RunOrder,
  ) {
    this.id = id;
    this.config = config;
    this.author = author;
    this.emit = parts.emit;
    this.history = new History(state?.history ?? emptyHistory);
    this.autosave = new Autosave(parts.saved, state, parts.emit);
    this.gate = new Gate(() => {
      this.emit({ type: 'state', state: 'paused' });
      void this.save();
    });
  }

  /** Begins; the run tells its end by events. @param iterations how many to do before pausing */
  start(iterations: number): void {
    this.stopAt = this.iteration + iterations;
    this.done = this.survive()
      .then(() => this.emit({ type: 'state', state: 'finished' }))
      .catch((error: unknown) => {
        if (error instanceof RunDropped) return;
        const { message, remedy } = faultOf(error, this.autosave.last ? 'resume' : 'start-over');
        this.emit({ type: 'state', state: 'failed', message, remedy });
      })
      .finally(() => {
        this.gate.end();
        this.parts.turn.free();
        this.refuseAskers('The run ended before it could be saved.');
      });
  }

  /** Lets a paused run do so many more iterations. */
  resume(iterations: number): void {
    this.stopAt = this.iteration + iterations;
    this.emit({ type: 'state', state: 'running' });
    this.gate.release();
  }

  async pause(): Promise<void> {
    if (this.gate.hasEnded) return;
    this.emit({ type: 'state', state: 'pausing' });
    await this.gate.close();
  }

  /** Ends the run and frees its memory. */
  async drop(): Promise<void> {
    this.gate.drop();
    await this.done;
    await this.taking;
    await this.standDown();
    await this.autosave.written();
  }

  /** The last good state of this run that was kept, wherever it went. */
  get kept(): Kept | null {
    return this.autosave.kept;
  }

  get soFar(): RunSoFar | null {
    if (!this.footing || this.iteration === 0) return null;
    const { trainer, device } = this.footing;
    const { fingerprint } = trainer.progress;
    return { validation: validationOf(this.history.state.metrics), fingerprint, adapter: device.adapter.name };
  }

  /**
   * The state as it stands where the run waits, the last good one if it has ended, else as soon as it is whole. Rejects
   * with a sentence.
   */
  async checkpoint(): Promise<Uint8Array> {
    const { last } = this.autosave;
    if (this.gate.hasEnded && last) return last.checkpoint;
    if (!this.footing) throw new Error('There is nothing to save yet: press Train first.');
    const asked = new Promise<Uint8Array>((resolve, reject) => this.askers.push({ resolve, reject }));
    if (this.gate.hasEnded || this.gate.isWaiting) this.keepStill(this.footing.trainer.isWhole);
    return asked;
  }

  /** Keeps the state as soon as it is whole, and resolves when it is stored. What goes wrong meets the run itself. */
  async save(): Promise<void> {
    if (this.footing && !this.gate.hasEnded) await this.checkpoint().catch(() => undefined);
    await this.autosave.written();
  }

  /** While the run stands still, nobody else takes the state. */
  private keepStill(whole: boolean): void {
    if (whole)
      this.taking = this.taking.then(() => this.keep()).catch((error: unknown) => this.gate.interrupt(error as Error));
    else this.refuseAskers('The run stands in the middle of an update: press Step, then save.');
  }

  private refuseAskers(reason: string): void {
    for (const { reject } of this.askers.splice(0)) reject(new Error(reason));
  }

  /** Rejects with a sentence if there is no answer. */
  async chat(message: string, listener: ChatListener): Promise<void> {
    const over = this.gate.hasEnded && this.footing?.device.lost;
    if (this.footing && !over) return this.footing.conversation.ask(message, listener);
    throw new Error(
      this.gate.hasEnded
        ? 'The run has ended and its agent went with the graphics device: open its last save to talk to it again.'
        : 'The agent is being prepared: ask again when training goes on.',
    );
  }

  private get iteration(): number {
    return this.history.curve.length;
  }

  /** Lives until the end, going back to the last kept state whenever that helps. */
  private async survive(): Promise<void> {
    if (!(await this.parts.turn.take()))
      throw new RunFault(
        'Another tab of this browser is training, and only one can: pause it there and close it, then try again.',
        'try-again',
      );
    for (let recovering = false; ; recovering = true) {
      try {
        await this.live(recovering);
        return;
      } catch (error) {
        const notice = await this.noticeOf(error);
        await this.standDown();
        this.emit({ type: 'notice', notice });
        this.catchUp();
      }
    }
  }

  /** A paused run does again what was lost, and then waits where it waited. */
  private catchUp(): void {
    const kept = this.autosave.last?.history.curve.length ?? 0;
    if (!this.gate.isClosed || this.iteration === kept) return;
    this.stopAt = this.iteration;
    this.gate.release();
  }

  /** What to say before going on after an error. @throws what ends the run */
  private async noticeOf(error: unknown): Promise<RunNotice> {
    if (error instanceof RunDropped || error instanceof RunFault) throw error;
    const { footing } = this;
    const cause = footing ? await footing.device.causeOf(error) : error;
    if (!(cause instanceof DeviceLost)) this.demandSoundDevice();
    const { warmSteps, iteration } = footing?.trainer.progress ?? { warmSteps: 0, iteration: 0 };
    return this.recovery.after(cause, warmSteps + iteration);
  }

  private async live(recovering: boolean): Promise<void> {
    const { config, gate, emit } = this;
    emit({ type: 'state', state: 'preparing' });
    emit({ type: 'begun', config, warmStart: warmStartKind(config) });
    const { trainer } = await this.stand(recovering);
    await trainer.warmStart();
    this.demandSoundDevice();
    if (!gate.isClosed) emit({ type: 'state', state: 'running' });
    while (trainer.progress.iteration < config.iterations) {
      await this.between();
      const { metrics, rollouts } = await trainer.iterate();
      this.demandSoundDevice();
      this.history.addIteration(metrics, rollouts);
      emit({ type: 'iteration', metrics, rollouts, fingerprint: [...trainer.progress.fingerprint] });
      if (metrics.skippedUpdates > 0) this.tellSkipped(metrics.skippedUpdates, `iteration ${metrics.iteration}`);
      this.compare();
      if (this.iteration >= this.stopAt && this.iteration < config.iterations) gate.shut();
    }
    await this.keep();
  }

  /** Opens a device and builds the trainer on it, at the last kept state if there is one. */
  private async stand(recovering: boolean): Promise<Footing> {
    const { config, parts, emit, autosave } = this;
    const device = await (recovering ? reopenDevice(parts.openDevice) : parts.openDevice());
    const head = autosave.last && readCheckpointHead(autosave.last.checkpoint);
    const source = head?.source ?? environmentSource(config);
    this.gate.calm();
    const trainer = await Trainer.create(device, await parts.openSandbox(), config, source, this.hooks()).catch(
      async (error: unknown) => {
        throw await device.causeOf(error);
      },
    );
    const unwatch = device.onLoss(() => this.gate.interrupt(new DeviceLost()));
    this.footing = {
      device,
      trainer,
      source,
      conversation: new Conversation(device, trainer, this.gate.check),
      unwatch,
    };
    if (autosave.last) restoreCheckpoint(trainer, autosave.last.checkpoint);
    autosave.start();
    const vocabulary = vocabularyOf(trainer.stage.tokenizer);
    const { title } = trainer.stage.description;
    emit({ type: 'started', config, title, vocabulary, specialTokens: specialIds, parameters: trainer.parameters });
    if (head || recovering) this.tellRestored(trainer);
    if (head && !recovering && head.engineVersion !== engineVersion)
      this.notify(
        'engine-differs',
        `This run was saved by engine ${head.engineVersion} and goes on with ${engineVersion}: its next iterations may differ from what they would have been.`,
      );
    return this.footing;
  }

  /** Frees what stands on the device. */
  private async standDown(): Promise<void> {
    const { footing } = this;
    this.footing = null;
    footing?.unwatch();
    await footing?.conversation.close();
    footing?.trainer.destroy();
  }

  private hooks(): TrainerHooks {
    return {
      between: () => this.between(),
      onProgress: (phase, done, total) => this.emit({ type: 'progress', phase, done, total }),
      onWarmLoss: (step, loss, skipped) => {
        if (skipped > 0) this.tellSkipped(skipped, `step ${step} of the warm start`);
        if (loss === null) return;
        this.history.addLoss(step, loss);
        this.emit({ type: 'warm-loss', step, loss });
      },
      onTurn: (steps) => this.showLive(steps),
      onLearned: ({ metrics, rollouts }) => {
        // Whoever waits for the first point need not wait for its validation, which may take as long.
        if (metrics.iteration === 1) this.emit({ type: 'first-point', metrics, rollouts });
      },
      readRecordedStart: this.parts.readRecordedStart,
    };
  }

  /** Between two submissions: waits while paused, and keeps the state when that is due or asked for. */
  private async between(): Promise<void> {
    await this.gate.pass();
    await this.taking;
    const { trainer } = this.footing!;
    if (trainer.isWhole && (this.askers.length > 0 || (this.autosave.isDue && !trainer.isDoubtful))) await this.keep();
  }

  /** Takes the state for whoever asked and for the autosave. */
  private async keep(): Promise<void> {
    const askers = this.askers.splice(0);
    try {
      const checkpoint = await this.take();
      for (const { resolve } of askers) resolve(checkpoint);
    } catch (error) {
      const cause = await this.footing!.device.causeOf(error);
      for (const { reject } of askers) reject(cause);
      // A run that cannot be copied can still be trained.
      if (!(cause instanceof OutOfGpuMemory)) throw cause;
      this.autosave.postpone();
      this.autosave.complain('There is too little graphics memory to save the run.');
    }
  }

  private async take(): Promise<Uint8Array> {
    const { device, trainer, source } = this.footing!;
    const { id, config, history } = this;
    const { warmSteps, iteration, fingerprint } = trainer.progress;
    const startMs = performance.now();
    const state: RunState = { checkpoint: await saveCheckpoint(device, trainer, source), history: history.state };
    this.demandSoundDevice();
    const finished = iteration === config.iterations;
    const { title } = trainer.stage.description;
    const run = {
      id,
      config,
      title,
      savedAtMs: Date.now(),
      iteration,
      warmSteps,
      finished,
      fingerprint: [...fingerprint],
    };
    if (!trainer.isDoubtful) this.autosave.keep(run, state, performance.now() - startMs);
    return state.checkpoint;
  }

  /** A validation or memory error turns later commands into nothing, so no number after it can be trusted. */
  private demandSoundDevice(): void {
    const taint = this.footing?.device.taint ?? null;
    if (taint !== null)
      throw new RunFault(
        `The GPU reported an error, so what came after it cannot be trusted and the run was stopped: ${taint}`,
        'resume',
      );
  }

  private tellRestored({ progress }: Trainer): void {
    this.history = new History(this.autosave.last?.history ?? emptyHistory);
    const { metrics, rollouts, warmLosses } = this.history.state;
    const { iteration, fingerprint } = progress;
    this.emit({ type: 'restored', iteration, metrics, rollouts, warmLosses, fingerprint: [...fingerprint] });
    this.compare();
  }

  private tellSkipped(count: number, where: string): void {
    const updates = count === 1 ? 'An update was' : `${count} updates were`;
    this.notify(
      'update-skipped',
      `${updates} skipped at ${where}, because its loss or gradient was not finite. Training goes on.`,
    );
  }

  private notify(kind: RunNotice['kind'], sentence: string): void {
    this.emit({ type: 'notice', notice: { kind, sentence, remedy: 'none' } });
  }

  private showLive(steps: readonly LiveStep[]): void {
    const now = performance.now();
    const [first] = steps;
    if (now - this.lastLiveMs < liveIntervalMs || first === undefined) return;
    this.lastLiveMs = now;
    this.emit({ type: 'live', prompt: first.task.prompt, text: first.step.action.text });
  }

  /** Says how this run stands to the author's. */
  private compare(): void {
    const { author } = this;
    const { fingerprint } = this.footing!.trainer.progress;
    if (!author) return;
    const { curve: practice, metrics } = this.history.state;
    const reproduction = reproductionOf(author, { practice, validation: validationOf(metrics), fingerprint });
    if (reproduction) this.emit({ type: 'reproduction', ...reproduction });
  }
}
