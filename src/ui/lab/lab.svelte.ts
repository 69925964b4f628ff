/**
 * The Lab: joins the setup, the live run, the replay, the chat and the saved runs to the trainer, and turns what the
 * trainer reports into failures and notices with a remedy. Draws nothing.
 */
import type { RunConfig } from '../../rl/config/config';
import type { ImportedCredit } from '../../rl/diagnostics/imported-comparison';
import type { RolloutView } from '../../rl/rollouts/view';
import type { Catalog } from '../../rl/config/catalog';
import type { DeviceReport, Remedy, RunEvent } from '../../worker/protocol';
import { readAddress } from '../share/address';
import { LinkOpener } from '../share/link-opener';
import { Away } from './away';
import { Chat } from './chat.svelte';
import { readCatalog } from './catalog';
import { chatAgent } from './chat-agent';
import { saveCheckpointFile } from './checkpoint-file';
import { Failures } from './failures.svelte';
import { sameJson } from '../setup/config-path';
import { OwnEnvironment } from '../setup/own-environment.svelte';
import { sentenceOf } from '../shell/error-sentence';
import { reachedBy } from '../share/ghost';
import { LiveRun } from './live-run.svelte';
import { Notices, type Action } from '../shell/notices.svelte';
import { Pace } from './pace.svelte';
import { Recordings } from './recordings.svelte';
import { Replay } from './replay.svelte';
import { statusText, type RunStatus } from './run-status';
import { RunOrders, type Order } from './run-orders.svelte';
import { queueKey } from '../queue/key';
import type { RunQueue } from '../queue/run-queue.svelte';
import type { LabActions } from '../shell/shortcuts';
import { readStored } from '../shell/stored';
import { recoverFrom } from './recovery';
import { sameRun } from './same-run';
import { SavedRunsView } from './saved-runs.svelte';
import { Setup } from '../setup/setup.svelte';
import { DisplayedRun } from './displayed-run.svelte';
import { text } from './text';
import type { TrainerClient } from '../trainer/trainer-client';
import { TrainerSupervisor } from '../trainer/trainer-supervisor';

const setupDelayMs = 300;

export class Lab {
  readonly setup = new Setup();
  readonly run = new LiveRun();
  readonly recordings: Recordings;
  readonly replay: Replay;
  readonly chat = new Chat();
  readonly saved = new SavedRunsView();
  readonly notices = new Notices();
  readonly failures = new Failures();
  readonly pace = new Pace();
  readonly own = new OwnEnvironment(this.setup, () => this.#supervisor.trainer);
  readonly shown: DisplayedRun;
  readonly orders: RunOrders;

  /** Null until it is opened. */
  queue = $state.raw<RunQueue | null>(null);
  /** Null while another page is open. */
  actions = $state.raw<LabActions | null>(null);
  device = $state.raw<DeviceReport | null>(null);
  /** The address asks for the dialog in which a world of one's own is written. */
  writesOwn = $state(false);
  /** Of the run while it is busy, else of the setup. */
  readonly chosenDevice = $derived.by(() => (this.run.busy ? this.shown.runConfig : this.setup.config)?.device);
  /** What that choice means here; null while it is unknown. */
  readonly trainsOn = $derived.by(() => (this.chosenDevice && this.device?.runsOn[this.chosenDevice]) ?? null);

  readonly canTrain = $derived(this.device !== null && this.setup.config !== null);
  readonly status: RunStatus = $derived.by(() => ({
    state: this.run.state,
    progress: this.run.progress,
    iteration: this.run.iteration,
    total: (this.shown.runConfig ?? this.setup.config)?.iterations ?? 0,
    stepMs: this.run.stepMs,
    wait: this.run.wait,
    waitsFor: this.orders.queue.waitsFor,
    queued: this.orders.queue.pressed !== null,
  }));
  readonly statusText = $derived(statusText(this.status));
  /** The setup differs from the run on the page and applies to the next one. */
  readonly setupWaits = $derived(this.run.started !== null && !sameJson(this.run.started.config, this.setup.config));
  /** This tab's run has an agent. */
  readonly hasAgent = $derived(
    this.run.started !== null && this.run.state !== 'preparing' && this.run.state !== 'failed',
  );
  /** Who answers in the chat. */
  readonly chatAgent = $derived.by(() => {
    const { config, plan, preset, problem } = this.setup;
    const { busy, iteration, state } = this.run;
    return chatAgent({ config, plan, preset, problem, busy, iteration, state }, this.hasAgent, this.device !== null);
  });
  readonly reproduction = $derived.by(() => this.shown.reproduction(this.device));
  readonly compareEstimators = (rollouts: readonly RolloutView[]) =>
    this.shown.compareEstimators(rollouts, this.#supervisor.trainer);
  /** Rollouts of another trainer through every estimator. Rejects with a sentence. */
  readonly compareImported = async (rollouts: readonly ImportedCredit[]) => {
    const { api } = this;
    if (!api) throw new Error(text.notReady);
    return api.compareImported(rollouts);
  };

  /** Numbers of the tokens of the displayed run. */
  readonly tokens = $derived.by(() => this.shown.tokenSource(() => this.#supervisor.trainer, this.hasAgent));

  readonly #supervisor = new TrainerSupervisor({
    reached: () => this.run.iteration,
    isExcused: () =>
      this.device === null || (this.run.state === 'preparing' && this.run.progress?.phase !== 'warm-start'),
    onCrash: (reason, mayRestart) =>
      void this.#recover(reason, mayRestart).catch((error: unknown) => this.#reportCall(error)),
  });
  #setupTimer: ReturnType<typeof setTimeout> | undefined;
  readonly #links: LinkOpener;
  readonly #away = new Away();

  /** @param options.still show finished runs instead of playing them, for people who asked for less motion */
  constructor(
    private readonly options: { readonly still: boolean; readonly recordingsUrl: string; readonly firstPreset: string },
  ) {
    this.recordings = new Recordings(options.recordingsUrl);
    this.replay = new Replay(() => this.shown.toReplay);
    const first = readAddress(location.hash).kind === 'link' ? null : options.firstPreset;
    this.shown = new DisplayedRun(this.run, this.replay, this.setup, this.recordings, first);
    this.orders = new RunOrders({
      ...{ setup: this.setup, run: this.run, shown: this.shown, replay: this.replay },
      ...{ chat: this.chat, saved: this.saved, notices: this.notices, failures: this.failures },
      canTrain: () => this.canTrain,
      isLooking: () => !this.device && !this.failures.current && !this.run.busy,
      send: (order) => this.#send(order),
      replaceSetup: (load) => this.#links.replaceSetup(load),
      onBegin: () => this.#supervisor.resetFailures(),
    });
    this.#links = new LinkOpener({
      ...{ setup: this.setup, shown: this.shown, saved: this.saved, notices: this.notices },
      api: () => this.#supervisor.trainer?.api ?? null,
      show: () => this.#showLinkOrRecording(),
      resume: (run) => this.orders.resume(run),
      writeOwn: () => (this.writesOwn = true),
    });
  }

  /** Null while there is no trainer. */
  get api(): TrainerClient['api'] | null {
    return this.trainer?.api ?? null;
  }

  /** Shows what the address asks for, then starts the trainer, whose code would take the connection from it. */
  async start(): Promise<void> {
    if (readStored(queueKey) !== null) void this.openQueue().catch(() => undefined);
    try {
      const catalog = await readCatalog();
      if (readAddress(location.hash).kind !== 'link') await this.#offer(catalog);
    } catch (error) {
      const action = { label: text.remedy['try-again'], act: () => void this.start() };
      this.failures.show(sentenceOf(error), action);
      return;
    }
    await this.recordings.settled();
    await this.#startTrainer();
  }

  async #offer(catalog: Catalog): Promise<void> {
    this.#links.replaceSetup(() => this.setup.adopt(catalog));
    await this.openAddress();
  }

  /** Loads the queue, with what was stored of it. Rejects if its code cannot be loaded. */
  async openQueue(): Promise<RunQueue> {
    const { run, orders, notices, failures } = this;
    const { RunQueue } = await import('../queue/run-queue.svelte');
    return (this.queue ??= new RunQueue({
      ...{ run, orders, notices, failures },
      api: () => this.api,
      canTrain: () => this.canTrain,
    }));
  }

  /** For questions that need no run; null before the start and after a crash. */
  get trainer(): TrainerClient | null {
    return this.#supervisor.trainer;
  }

  /** The chosen preset's recording has been fetched. */
  recordingCame(): void {
    this.replay.rewind();
    if (this.shown.view === 'recording') this.playRecording();
  }

  /** Looks at a run of this tab, at the author's of an open link, or at the recorded one. */
  #showLinkOrRecording(): void {
    const { shown, run } = this;
    if (run.started || run.busy) {
      if (shown.view === 'author') shown.view = 'live';
    } else if (shown.author && reachedBy(shown.author)) shown.view = 'author';
    else this.playRecording();
  }

  async #startTrainer(): Promise<void> {
    const trainer = this.#supervisor.start();
    try {
      await trainer.subscribe((event) => this.#onEvent(event));
      if (!this.setup.sources) await this.#begin(trainer.api);
      this.device = await trainer.api.device();
      this.orders.queue.release();
    } catch (error) {
      this.#offerAgain(text.failure.trainer(sentenceOf(error)), () => this.#restart());
    }
  }

  /** With the first trainer come the runs that are kept, and what only a trainer can read. */
  async #begin(api: TrainerClient['api']): Promise<void> {
    // Where the list cannot be read nothing is offered; a run that cannot be saved gives a notice.
    await this.saved.offer(api).catch(() => undefined);
    if (!this.setup.catalog) await this.#offer(await readCatalog());
    else if (readAddress(location.hash).kind === 'link') await this.openAddress();
    else this.setupChanged();
    this.setup.sources = await api.sources();
  }

  /** Opens what the address bar says. Runs and edits that are here stay. */
  async openAddress(): Promise<void> {
    try {
      await this.#links.open();
    } catch (error) {
      this.playRecording();
      this.#offerAgain(text.failure.link(sentenceOf(error)), () => void this.openAddress());
    }
  }

  ask(question: string): void {
    const { chatAgent: agent, chat, trainer } = this;
    const { config } = this.setup;
    if (!trainer || !config || agent.kind === 'nobody' || chat.busy) return;
    void chat.ask(question, agent.name, (listener) =>
      agent.kind === 'run' ? trainer.chat(question, listener) : trainer.chatWithStart(config, question, listener),
    );
  }

  /** Shows the recorded run: from where it was stopped, or from its beginning. */
  playRecording(): void {
    this.shown.view = 'recording';
    // A link to one rollout is about the run as it ended.
    this.replay.play(this.options.still || this.shown.wantedRollout !== null);
  }

  /** Measures the device that the next run is trained on, once. */
  measure(): void {
    const { trainsOn: kind, chosenDevice: choice, api } = this;
    if (api && kind && choice && !this.run.busy) this.pace.measure(kind, () => api.speed(choice));
  }

  /** The address to share: of the run so far, or of the setup without a run. */
  shareAddress(): Promise<string> {
    return this.addressOf(this.run.started?.config ?? this.setup.config);
  }

  /** The address to share of a config; with the results of the run on the page if that has it. */
  async addressOf(config: RunConfig | null): Promise<string> {
    const { api } = this;
    if (!api || !config) throw new Error(text.notReady);
    return `${location.href.split('#')[0]}#/lab?${await api.link(config)}`;
  }

  /** Saves the weights as a safetensors file. */
  async download(): Promise<void> {
    const { api, run } = this;
    try {
      if (api) await saveCheckpointFile(api, run, this.shown.nameOf(run.begun?.config));
    } catch (error) {
      this.failures.show(text.failure.checkpoint(sentenceOf(error)), null);
    }
  }

  /** Reads the list of saved runs again. */
  refreshSaved(): void {
    this.#send((trainer) => this.saved.refresh(trainer.api));
  }

  deleteSaved(id: string): void {
    this.#send((trainer) => this.saved.delete(trainer.api, id));
  }

  /** The page may be about to vanish. */
  leaving(): void {
    this.#away.left(this.run);
    // An event says whether it worked; without a run there is nothing to save.
    void this.#supervisor.trainer?.api.save().catch(() => undefined);
  }

  returned(awayMs: number): void {
    const sentence = this.#away.returned(this.run, awayMs);
    if (sentence) this.notices.show({ kind: 'hidden', sentence, action: this.#remedy('download') });
  }

  /** After a sleep or a fault an adapter may have come or gone. */
  findDevices(): void {
    this.#send(async (trainer) => void (this.device = await trainer.api.device()));
  }

  /** A moment after the last edit: asks for the setup's memory plan and writes the setup into the address. */
  setupChanged(): void {
    // The setup that could not be trained has changed.
    if (this.failures.current?.action?.label === text.action.restorePreset) this.failures.clear();
    clearTimeout(this.#setupTimer);
    this.#setupTimer = setTimeout(
      () => void this.#links.keepAddress().catch((error: unknown) => this.#reportCall(error)),
      setupDelayMs,
    );
  }

  #onEvent(event: RunEvent): void {
    // A run that is being reset still sends events.
    if (this.orders.queue.stopping) return;
    if (event.type === 'state' && event.state === 'failed')
      this.failures.show(event.message ?? text.failure.unknown, this.#remedy(event.remedy ?? 'start-over'));
    if (event.type === 'notice') this.notices.show({ ...event.notice, action: this.#remedy(event.notice.remedy) });
    if (event.type === 'restored') this.failures.clear();
    // After the first save, the browser is asked not to clear it for space.
    if (event.type === 'saved' && this.run.savedAt === null) void navigator.storage?.persist?.().catch(() => undefined);
    this.run.take(event, performance.now());
    if (event.type === 'started') void this.own.learn(event.config);
    if (event.type === 'iteration') this.#learnPace();
  }

  #learnPace(): void {
    const { recorded } = this.shown;
    const { started, metrics } = this.run;
    if (!recorded || !started || !this.trainsOn || this.shown.view !== 'live') return;
    if (sameRun({ ...recorded.config, seed: 0 }, { ...started.config, seed: 0 }))
      this.pace.learn(this.trainsOn, metrics, recorded.metrics);
  }

  /** The button beside a sentence of the trainer. */
  #remedy(remedy: Remedy): Action | null {
    if (remedy === 'none') return null;
    const actions: Record<Exclude<Remedy, 'none'>, () => void> = {
      'start-over': () => this.orders.startOver(),
      resume: () => void this.#resumeLatest(),
      'try-again': () => (this.findDevices(), this.orders.repeat()),
      download: () => void this.download(),
      'halve-batch': () => (this.setup.halveBatch(), this.orders.startOver()),
      'halve-rate': () => (this.setup.halveRate(), this.orders.startOver()),
    };
    return { label: text.remedy[remedy], act: actions[remedy] };
  }

  /** Resumes the latest save of the run that was here. */
  async #resumeLatest(): Promise<void> {
    if (!this.#supervisor.trainer) await this.#startTrainer();
    this.#send(async (trainer) => {
      await this.saved.refresh(trainer.api);
      const saved = this.saved.of(this.run.begun?.id);
      if (saved) this.orders.resume(saved);
      else this.failures.show(text.failure.nothingSaved, this.#remedy('start-over'));
    });
  }

  async #recover(reason: string, mayRestart: boolean): Promise<void> {
    const { run, chat, saved, notices, failures } = this;
    this.device = null;
    this.orders.queue.stopping = false;
    await recoverFrom(reason, mayRestart, {
      ...{ run, chat, saved, notices, failures },
      author: () => this.shown.comparedWith,
      start: () => this.#startTrainer().then(() => (this.failures.current ? null : this.#supervisor.trainer)),
      restart: () => this.#restart(),
      remedy: (remedy) => this.#remedy(remedy),
    });
  }

  #restart(): void {
    this.run.started = null;
    if (this.run.state !== 'finished') this.run.state = 'idle';
    void this.#startTrainer();
  }

  #send(order: Order): void {
    const { trainer } = this.#supervisor;
    if (trainer) order(trainer).catch((error: unknown) => this.#reportCall(error));
  }

  #offerAgain(sentence: string, act: () => void): void {
    this.failures.show(sentence, { label: text.action.again, act });
  }

  #reportCall(error: unknown): void {
    this.orders.queue.drop();
    // A failed run was reported by its own event, with a better sentence.
    if (this.run.state === 'failed' && this.failures.current) return;
    if (this.run.busy) this.run.state = 'failed';
    this.failures.show(text.failure.trainer(sentenceOf(error)), this.#remedy('start-over'));
  }
}
