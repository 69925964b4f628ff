/**
 * The Lab: what the page's buttons do, and what it does by itself when something fails. Joins the setup, the live run,
 * the replay, the chat and the saved runs to the trainer. Draws nothing.
 */
import type { DeviceReport, Remedy, RunEvent, SavedRun } from '../../worker/protocol';
import type { RunConfig } from '../../rl/config/config';
import type { OpenedLink } from '../../rl/config/run-link';
import type { RolloutView } from '../../rl/rollouts/view';
import { readAddress } from '../share/address';
import { Arrivals } from '../share/arrivals';
import { Away } from './away';
import { download } from '../charts/download';
import { Chat } from './chat.svelte';
import { sameJson } from '../setup/config-path';
import { OwnEnvironment } from '../setup/own-environment.svelte';
import { sentenceOf } from '../shell/error-sentence';
import { reachedBy } from '../share/ghost';
import { LiveRun } from './live-run.svelte';
import { Notices, type Action, type PageNotice } from '../shell/notices.svelte';
import { Recordings } from './recordings.svelte';
import { Replay } from './replay.svelte';
import { statusText, type RunStatus } from './run-status';
import { PressQueue } from './press-queue.svelte';
import { reviveAfter } from './revival';
import { SavedRunsView } from './saved-runs.svelte';
import { Setup } from '../setup/setup.svelte';
import { DisplayedRun } from './displayed-run.svelte';
import { text as share } from '../share/text';
import { moreIterations, text } from './text';
import { TrainerSupervisor } from '../trainer/trainer-supervisor';
import { Undo } from './undo';
import { visible } from '../setup/visible-source';
import type { TrainerClient } from '../trainer/trainer-client';

/** An order to the trainer that begins a run. */
type Order = (trainer: TrainerClient) => Promise<void>;

const setupDelayMs = 300;

export class Lab {
  readonly setup = new Setup();
  readonly run = new LiveRun();
  readonly recordings: Recordings;
  readonly replay: Replay;
  readonly chat = new Chat();
  readonly saved = new SavedRunsView();
  readonly notices = new Notices();
  readonly own = new OwnEnvironment(this.setup, () => this.#supervisor.trainer);
  readonly shown: DisplayedRun;

  device = $state.raw<DeviceReport | null>(null);
  /** What happened and what is safe, and the one thing to press. */
  failure = $state.raw<Omit<PageNotice, 'kind'> | null>(null);

  readonly queue = new PressQueue(() => !this.device && !this.failure && !this.run.busy);
  readonly canTrain = $derived(this.device?.ok === true && this.setup.config !== null);
  readonly status: RunStatus = $derived.by(() => ({
    state: this.run.state,
    progress: this.run.progress,
    iteration: this.run.iteration,
    total: (this.shown.runConfig ?? this.setup.config)?.iterations ?? 0,
    stepMs: this.run.stepMs,
    wait: this.run.wait,
    canTrain: this.device?.ok !== false,
    waitsFor: this.queue.waitsFor,
    queued: this.queue.pressed !== null,
  }));
  readonly statusText = $derived(statusText(this.status));
  /** The setup differs from the run that exists, so it waits for the next one. */
  readonly setupWaits = $derived(this.run.started !== null && !sameJson(this.run.started.config, this.setup.config));
  /** There is an agent to talk to. */
  readonly hasAgent = $derived(
    this.run.started !== null && this.run.state !== 'preparing' && this.run.state !== 'failed',
  );
  readonly verdict = $derived.by(() => this.shown.verdict(this.device));
  readonly compareEstimators = (rollouts: readonly RolloutView[]) =>
    this.shown.compareEstimators(rollouts, this.#supervisor.trainer);

  readonly #supervisor = new TrainerSupervisor({
    reached: () => this.run.iteration,
    isExcused: () =>
      this.device === null || (this.run.state === 'preparing' && this.run.progress?.phase !== 'warm-start'),
    onDeath: (reason, mayRestart) =>
      void this.#afterDeath(reason, mayRestart).catch((error: unknown) => this.#reportCall(error)),
  });
  readonly #undo = new Undo(this.saved, this.notices, (run, paused) => this.#restore(run, paused));
  /** The last order that began a run, to be given again. */
  #ordered: (() => void) | null = null;
  #setupTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #arrivals: Arrivals;
  readonly #away = new Away();

  /** @param options.still show finished runs instead of playing them, for people who asked for less motion */
  constructor(
    private readonly options: { readonly still: boolean; readonly recordingsUrl: string; readonly firstPreset: string },
  ) {
    this.recordings = new Recordings(options.recordingsUrl);
    this.replay = new Replay(() => this.shown.toReplay);
    const first = readAddress(location.hash).kind === 'link' ? null : options.firstPreset;
    this.shown = new DisplayedRun(this.run, this.replay, this.setup, this.recordings, first);
    this.#arrivals = new Arrivals({
      ...{ setup: this.setup, shown: this.shown, saved: this.saved, notices: this.notices },
      api: () => this.#supervisor.trainer?.api ?? null,
      look: () => this.#look(),
      resume: (run) => this.resumeSaved(run),
    });
  }

  start(): Promise<void> {
    return this.#meetTrainer();
  }

  /** The chosen preset's recording has been fetched. */
  recordingCame(): void {
    this.replay.rewind();
    if (this.shown.view === 'recording') this.playRecording();
  }

  /** Looks at a run of this tab, at the author's of an open link, or at the recorded one. */
  #look(): void {
    const { shown, run } = this;
    if (run.started || run.busy) {
      if (shown.view === 'author') shown.view = 'live';
    } else if (shown.author && reachedBy(shown.author)) shown.view = 'author';
    else this.playRecording();
  }

  async #meetTrainer(): Promise<void> {
    const trainer = this.#supervisor.start();
    try {
      await trainer.subscribe((event) => this.#take(event));
      if (!this.setup.catalog) {
        const catalog = await trainer.api.catalog();
        // A list that cannot be read offers nothing; that a run cannot be saved is said when it is.
        await this.saved.offer(trainer.api).catch(() => undefined);
        this.#arrivals.take(() => this.setup.adopt(catalog));
        await this.openAddress();
      }
      this.device = await trainer.api.device();
      this.queue.release();
    } catch (error) {
      this.#fail(text.failure.trainer(sentenceOf(error)), { label: text.action.again, act: () => this.#restart() });
    }
  }

  /** Opens what the address bar says. Runs and edits that are here stay. */
  async openAddress(): Promise<void> {
    try {
      await this.#arrivals.open();
    } catch (error) {
      this.playRecording();
      this.#fail(text.failure.link(sentenceOf(error)), {
        label: text.action.again,
        act: () => void this.openAddress(),
      });
    }
  }

  /** Train: starts a run of the setup, or goes on with the paused one unless a new one is asked for. */
  train(anew = false): void {
    if (this.queue.takes(() => this.train(anew)) || !this.canTrain || this.run.busy) return;
    if (!anew && this.run.state === 'paused' && this.run.started) {
      this.run.state = 'running';
      this.#call((trainer) => trainer.api.resume());
    } else {
      this.#startOver();
    }
  }

  step(): void {
    if (this.queue.takes(() => this.step()) || !this.canTrain || this.run.busy || this.run.state === 'finished') return;
    const { started } = this.run;
    if (this.run.state === 'paused' && started) {
      this.run.state = 'running';
      this.#call((trainer) => trainer.api.step(started.config, this.shown.comparedWith));
    } else {
      this.#beginSetup((trainer, config, author) => trainer.api.step(config, author));
    }
  }

  /** Goes on with a saved run; what is in the trainer now is saved first. */
  resumeSaved(run: SavedRun): void {
    if (!this.canTrain || this.run.busy) return;
    this.#arrivals.take(() => this.setup.loadLike(run.config));
    this.#restore(run, false);
  }

  /** Goes on with the finished run, at the rate it ended with. Nothing of it is lost: it stays saved as it is. */
  extend(): void {
    const { started, state } = this.run;
    if (!this.canTrain || state !== 'finished' || !started) return;
    const isHere = sameJson(this.setup.config, started.config);
    this.#begin(async (trainer) => {
      const config = await trainer.api.extend(moreIterations);
      if (isHere && this.setup.preset) this.setup.load(this.setup.preset, config);
    }, null);
  }

  #restore(run: SavedRun, paused: boolean): void {
    if (this.queue.takes(() => this.#restore(run, paused)) || !this.canTrain) return;
    const author = this.shown.compareRun(run.config);
    this.#begin(async (trainer) => {
      await trainer.api.restore(run.id, author);
      if (paused) await trainer.api.pause();
    }, run.id);
  }

  #beginSetup(order: (trainer: TrainerClient, config: RunConfig, author: OpenedLink | null) => Promise<void>): void {
    const { config, problem } = this.setup;
    if (!config) return;
    if (problem !== null) {
      this.#fail(text.failure.setup(problem), { label: text.action.restorePreset, act: () => this.setup.restoreAll() });
      return;
    }
    const author = this.shown.compareRun(config);
    this.#begin((trainer) => order(trainer, config, author));
  }

  /** @param opened id of the saved run that takes the place of the one on the page; null if that one goes on */
  #begin(order: Order, opened?: string | null): void {
    const left = opened === null ? null : Undo.leaving(this.run);
    this.failure = null;
    this.notices.clearRun();
    this.saved.offered = null;
    this.replay.stop();
    this.shown.view = 'live';
    this.run.clear('preparing');
    this.#supervisor.resetFailures();
    this.#ordered = () => this.#begin(order, opened);
    this.#call(async (trainer) => {
      await this.#undo.keep(trainer.api, left, opened ?? undefined);
      await order(trainer);
    });
  }

  pause(): void {
    if (this.run.state !== 'running' && this.run.state !== 'preparing') return;
    this.run.state = 'pausing';
    this.#call((trainer) => trainer.api.pause());
  }

  /** Back to before iteration 1; the setup is kept, edits and all. */
  reset(): void {
    this.queue.pressed = null;
    if (this.run.state === 'idle') return;
    const left = Undo.leaving(this.run);
    this.queue.stopping = true;
    this.run.clear('idle');
    this.chat.abandon();
    this.failure = null;
    this.notices.clearRun();
    this.#call(async (trainer) => {
      await this.#undo.keep(trainer.api, left);
      await trainer.api.reset();
      this.queue.release();
    });
  }

  newSeed(): void {
    this.setup.set(['seed'], crypto.getRandomValues(new Uint32Array(1))[0] % 100_000);
  }

  ask(question: string): void {
    const { trainer } = this.#supervisor;
    if (trainer && this.hasAgent && !this.chat.busy)
      void this.chat.ask(question, this.run.iteration, (listener) => trainer.chat(question, listener));
  }

  /** Shows the recorded run: from where it was stopped, or from its beginning. */
  playRecording(): void {
    this.shown.view = 'recording';
    this.replay.play(this.options.still);
  }

  /** The address to send to somebody: of the run so far, or of the setup if there is none. */
  async shareAddress(): Promise<string> {
    const config = this.run.started?.config ?? this.setup.config;
    const { trainer } = this.#supervisor;
    if (!trainer || !config) throw new Error(share.dialog.notReady);
    return `${location.href.split('#')[0]}#/lab?${await trainer.api.link(config)}`;
  }

  /** Saves the weights as a safetensors file. */
  async download(): Promise<void> {
    try {
      const bytes = await this.#supervisor.trainer?.api.checkpoint();
      if (!bytes) return;
      const name = `${this.shown.nameOf(this.run.started?.config)}-${this.run.iteration}.safetensors`;
      download(name, new Blob([new Uint8Array(bytes)], { type: 'application/octet-stream' }));
      this.run.savedAt = this.run.iteration;
    } catch (error) {
      this.#fail(text.failure.checkpoint(sentenceOf(error)), null);
    }
  }

  /** Reads the list of saved runs anew. */
  refreshSaved(): void {
    this.#call((trainer) => this.saved.refresh(trainer.api));
  }

  forgetSaved(id: string): void {
    this.#call((trainer) => this.saved.forget(trainer.api, id));
  }

  /** The page may be about to vanish. */
  leaving(): void {
    this.#away.left(this.run);
    // Whether it worked is said by an event; where there is nothing to save, nothing is lost.
    void this.#supervisor.trainer?.api.save().catch(() => undefined);
  }

  returned(awayMs: number): void {
    const sentence = this.#away.returned(this.run, awayMs);
    if (sentence) this.notices.show({ kind: 'hidden', sentence, action: this.#remedy('download') });
  }

  /** After a sleep the device may be gone; asking for it opens another. */
  woke(): void {
    this.#call(async (trainer) => void (this.device = await trainer.api.device()));
  }

  /** Asks, a moment after the last edit, what the setup needs, and writes it into the address. */
  setupChanged(): void {
    // What could not be trained is another setup now.
    if (this.failure?.action?.label === text.action.restorePreset) this.failure = null;
    clearTimeout(this.#setupTimer);
    this.#setupTimer = setTimeout(
      () => void this.#arrivals.keepAddress().catch((error: unknown) => this.#reportCall(error)),
      setupDelayMs,
    );
  }

  #take(event: RunEvent): void {
    // What a run still says while it is put away is not heard.
    if (this.queue.stopping) return;
    if (event.type === 'state' && event.state === 'failed') {
      this.#fail(event.message ?? text.failure.unknown, this.#remedy(event.remedy ?? 'start-over'));
    }
    if (event.type === 'notice') this.notices.show({ ...event.notice, action: this.#remedy(event.notice.remedy) });
    if (event.type === 'restored') this.failure = null;
    // From now on there is something to lose: the browser is asked not to clear it to make room.
    if (event.type === 'saved' && this.run.savedAt === null) void navigator.storage?.persist?.().catch(() => undefined);
    this.run.take(event, performance.now());
    if (event.type === 'started') void this.own.learn(event.config);
  }

  /** The one thing to press under a sentence of the trainer's. */
  #remedy(remedy: Remedy): Action | null {
    if (remedy === 'none') return null;
    const actions: Record<Exclude<Remedy, 'none'>, () => void> = {
      'start-over': () => this.#startOver(),
      resume: () => void this.#resumeLatest(),
      'try-again': () => this.#ordered?.(),
      download: () => void this.download(),
      'halve-batch': () => (this.setup.halveBatch(), this.#startOver()),
      'halve-rate': () => (this.setup.halveRate(), this.#startOver()),
    };
    return { label: text.remedy[remedy], act: actions[remedy] };
  }

  #startOver(): void {
    this.#beginSetup((trainer, config, author) => trainer.api.train(config, author));
  }

  /** Goes on with the latest save of the run that was here. */
  async #resumeLatest(): Promise<void> {
    const config = this.run.started?.config ?? this.setup.config;
    if (!this.#supervisor.trainer) await this.#meetTrainer();
    this.#call(async (trainer) => {
      await this.saved.refresh(trainer.api);
      const saved = config && this.saved.of(config);
      if (saved) this.resumeSaved(saved);
      else this.#fail(text.failure.nothingSaved, this.#remedy('start-over'));
    });
  }

  async #afterDeath(reason: string, mayRestart: boolean): Promise<void> {
    const { run, chat, saved, notices } = this;
    this.device = null;
    this.queue.stopping = false;
    await reviveAfter(reason, mayRestart, {
      ...{ run, chat, saved, notices },
      author: () => this.shown.comparedWith,
      meet: () => this.#meetTrainer().then(() => (this.failure ? null : this.#supervisor.trainer)),
      restart: () => this.#restart(),
      remedy: (remedy) => this.#remedy(remedy),
      fail: (sentence, action) => this.#fail(sentence, action),
    });
  }

  #restart(): void {
    this.run.started = null;
    if (this.run.state !== 'finished') this.run.state = 'idle';
    void this.#meetTrainer();
  }

  #call(order: Order): void {
    const { trainer } = this.#supervisor;
    if (trainer) order(trainer).catch((error: unknown) => this.#reportCall(error));
  }

  #reportCall(error: unknown): void {
    this.queue.drop();
    // A failed run has said so in its own event already, with a better sentence.
    if (this.run.state === 'failed' && this.failure) return;
    if (this.run.busy) this.run.state = 'failed';
    this.#fail(text.failure.trainer(sentenceOf(error)), this.#remedy('start-over'));
  }

  #fail(sentence: string, action: Action | null): void {
    const closing = action && { label: action.label, act: () => ((this.failure = null), action.act()) };
    this.failure = { sentence: visible(sentence), action: closing };
  }
}
