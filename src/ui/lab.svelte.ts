/**
 * The Lab: which run the page shows (the recorded one, a link author's, this tab's) and what its buttons do. Joins the
 * setup, the live run, the replay and the chat to the trainer. Draws nothing.
 */
import type { Catalog, DeviceReport, OpenedLink, RolloutView, RunEvent } from '../worker/protocol';
import { Chat } from './chat.svelte';
import { sameJson } from './config-path';
import { LiveRun } from './live-run.svelte';
import { Replay } from './replay.svelte';
import { reproductionVerdict } from './reproduction';
import { statusText, type RunStatus } from './run-status';
import { Setup } from './setup.svelte';
import { text } from './text';
import { startTrainer, type Trainer } from './trainer';

export type View = 'recording' | 'author' | 'live';

/** Something failed: what happened and what is safe, and the one thing to press. */
export interface Failure {
  readonly sentence: string;
  readonly action: string;
  readonly act: () => void;
}

/** Another run's success, its points spread evenly over its first `span` iterations. */
export interface Ghost {
  readonly values: readonly number[];
  readonly span: number;
  readonly name: string;
}

const setupDelayMs = 300;

export class Lab {
  readonly setup = new Setup();
  readonly run = new LiveRun();
  readonly replay = new Replay();
  readonly chat = new Chat();

  view = $state<View>('recording');
  device = $state.raw<DeviceReport | null>(null);
  /** The link this page was opened with. */
  author = $state.raw<OpenedLink | null>(null);
  failure = $state.raw<Failure | null>(null);
  /** Iteration under the pointer, shared by charts and rollouts. */
  cursor = $state<number | null>(null);

  readonly canTrain = $derived(this.device?.ok === true && this.setup.config !== null);
  readonly metrics = $derived(this.view === 'live' ? this.run.metrics : this.view === 'recording' ? this.replay.metrics : []);
  readonly rollouts = $derived(this.view === 'live' ? this.run.rollouts : this.view === 'recording' ? this.replay.rollouts : []);
  /** Rollouts on tasks like those of the agent one would talk to: of this tab's run, else of the recorded run if its environment is the same. */
  readonly askedBefore = $derived(this.#askedBefore());
  readonly vocabulary = $derived((this.view === 'live' ? this.run.started?.vocabulary : this.replay.recording?.vocabulary) ?? []);
  readonly specialTokens = $derived((this.view === 'live' ? this.run.started?.specialTokens : this.replay.recording?.specialTokens) ?? []);
  /** Weight of each reward term in the run that is shown. */
  readonly rewardWeights = $derived(this.#rewardWeights());
  /** Iterations planned in the run that is shown. */
  readonly total = $derived(this.#total());
  readonly ghost = $derived(this.#ghost());
  readonly status: RunStatus = $derived({
    state: this.run.state,
    progress: this.run.progress,
    iteration: this.run.iteration,
    total: this.run.started?.config.iterations ?? this.setup.config?.iterations ?? 0,
    stepMs: this.run.stepMs,
    phaseLeftMs: this.run.phaseLeftMs,
    canTrain: this.device?.ok !== false,
  });
  readonly statusText = $derived(statusText(this.status));
  /** The setup differs from the run that exists, so it waits for the next one. */
  readonly setupWaits = $derived(this.run.started !== null && !sameJson(this.run.started.config, this.setup.config));
  readonly verdict = $derived(this.#verdict());

  #trainer: Trainer | null = null;
  #setupTimer: ReturnType<typeof setTimeout> | undefined;
  /** The config as it came from the preset or the link: the address is rewritten once the setup is another. */
  #arrived: unknown = null;

  /** @param still show finished runs instead of playing them, for people who asked for less motion */
  constructor(private readonly still: boolean) {}

  /** Loads the recording and meets the trainer; both may fail, each on its own. */
  async start(recordingUrl: string): Promise<void> {
    await Promise.all([this.replay.load(recordingUrl).then(() => this.#replayIfFirst()), this.#meetTrainer()]);
  }

  // With a link in the address, what it brings comes first.
  #replayIfFirst(): void {
    if (this.view === 'recording' && (linkIn(location.hash) === null || this.failure)) this.playRecording();
  }

  async #meetTrainer(): Promise<void> {
    const trainer = startTrainer((sentence) => this.#crashed(sentence));
    this.#trainer = trainer;
    try {
      await trainer.subscribe((event) => this.#take(event));
      if (!this.setup.catalog) await this.#learnCatalog(await trainer.api.catalog());
      this.device = await trainer.api.device();
    } catch (error) {
      this.#fail(text.failure.trainer(sentenceOf(error)), text.action.again, () => this.#restart());
    }
  }

  async #learnCatalog(catalog: Catalog): Promise<void> {
    this.setup.adopt(catalog);
    this.#arrived = this.setup.config;
    await this.openAddress();
  }

  /** Opens the link in the address bar, if there is one. */
  async openAddress(): Promise<void> {
    const link = linkIn(location.hash);
    if (link === null || !this.#trainer) return;
    try {
      const author = await this.#trainer.api.openLink(link);
      this.author = author;
      this.setup.loadLinked(author.preset, author.config);
      this.#arrived = this.setup.config;
      if (this.run.started) return;
      if (author.curve) this.view = 'author';
      else this.playRecording();
    } catch (error) {
      this.playRecording();
      this.#fail(text.failure.link(sentenceOf(error)), text.action.withoutLink, () => this.#forgetLink());
    }
  }

  #forgetLink(): void {
    history.replaceState(null, '', '#/');
  }

  /** Train: starts a run of the setup, or goes on with the paused one. */
  train(): void {
    if (!this.canTrain || this.run.busy) return;
    if (this.run.state === 'paused' && this.run.started) {
      this.run.state = 'running';
      this.#call((trainer) => trainer.api.resume());
    } else {
      this.#begin((trainer, config, author) => trainer.api.train(config, author));
    }
  }

  step(): void {
    if (!this.canTrain || this.run.busy || this.run.state === 'finished') return;
    const { started } = this.run;
    if (this.run.state === 'paused' && started) {
      this.run.state = 'running';
      this.#call((trainer) => trainer.api.step(started.config, this.#comparable(started.config)));
    } else {
      this.#begin((trainer, config, author) => trainer.api.step(config, author));
    }
  }

  #begin(order: (trainer: Trainer, config: NonNullable<Setup['config']>, author: OpenedLink | null) => Promise<void>): void {
    const { config, problem } = this.setup;
    if (!config) return;
    if (problem !== null) {
      this.#fail(text.failure.setup(problem), text.action.restorePreset, () => this.setup.restoreAll());
      return;
    }
    this.failure = null;
    this.replay.stop();
    this.view = 'live';
    this.run.clear('preparing');
    this.#call((trainer) => order(trainer, config, this.#comparable(config)));
  }

  // Digests of two different configs say nothing about each other.
  #comparable(config: unknown): OpenedLink | null {
    return this.author && sameJson(this.author.config, config) ? this.author : null;
  }

  pause(): void {
    if (this.run.state !== 'running' && this.run.state !== 'preparing') return;
    this.run.state = 'pausing';
    this.#call((trainer) => trainer.api.pause());
  }

  /** Back to before iteration 1; the setup is kept, edits and all. */
  reset(): void {
    if (this.run.state === 'idle') return;
    this.#call(async (trainer) => {
      await trainer.api.reset();
      this.run.clear('idle');
      this.chat.abandon();
      this.failure = null;
    });
  }

  newSeed(): void {
    this.setup.set(['seed'], crypto.getRandomValues(new Uint32Array(1))[0] % 100_000);
  }

  /** Whether there is an agent to talk to. */
  get hasAgent(): boolean {
    return this.run.started !== null && this.run.state !== 'preparing' && this.run.state !== 'failed';
  }

  ask(question: string): void {
    const trainer = this.#trainer;
    if (trainer && this.hasAgent && !this.chat.busy)
      void this.chat.ask(question, this.run.iteration, (listener) => trainer.chat(question, listener));
  }

  /** Shows the recorded run: from where it was stopped, or from its beginning. */
  playRecording(): void {
    this.view = 'recording';
    this.replay.play(this.still);
  }

  /** The address of the run so far, or of the setup if there is none; also put into the address bar. */
  async shareAddress(): Promise<string> {
    const config = this.run.started?.config ?? this.setup.config;
    if (!this.#trainer || !config) throw new Error(text.share.notReady);
    const hash = `#/lab?${await this.#trainer.api.link(config)}`;
    history.replaceState(null, '', hash);
    return new URL(hash, location.href).href;
  }

  /** The weights as safetensors bytes, or null with the failure shown. */
  async checkpoint(): Promise<Uint8Array<ArrayBuffer> | null> {
    try {
      const bytes = await this.#trainer?.api.checkpoint();
      if (!bytes) return null;
      this.run.unsaved = 0;
      return new Uint8Array(bytes);
    } catch (error) {
      this.#fail(text.failure.checkpoint(sentenceOf(error)), text.action.dismiss, () => {});
      return null;
    }
  }

  /** Asks, a moment after the last edit, what the setup needs, and writes it into the address. */
  setupChanged(): void {
    clearTimeout(this.#setupTimer);
    this.#setupTimer = setTimeout(() => void this.#planSetup().catch((error: unknown) => this.#reportCall(error)), setupDelayMs);
  }

  async #planSetup(): Promise<void> {
    const { config, catalog } = this.setup;
    if (!this.#trainer || !config || !catalog) return;
    const { api } = this.#trainer;
    const plans = await Promise.all([
      api.plan(config),
      ...catalog.modelPresets.map((preset) => api.plan({ ...config, model: preset.model })),
    ]);
    if (this.setup.config !== config) return;
    this.setup.plan = plans[0];
    this.setup.presetPlans = Object.fromEntries(catalog.modelPresets.map((preset, index) => [preset.name, plans[index + 1]]));
    if (config === this.#arrived || this.setup.problem !== null) return;
    this.#arrived = null;
    history.replaceState(null, '', `#/lab?${await api.link(config)}`);
  }

  #take(event: RunEvent): void {
    if (event.type === 'state' && event.state === 'failed') {
      this.#fail(event.message ?? text.failure.unknown, text.action.startOver, () => this.#startOver());
    }
    this.run.take(event, performance.now());
  }

  #startOver(): void {
    this.failure = null;
    this.#begin((trainer, config, author) => trainer.api.train(config, author));
  }

  #crashed(sentence: string): void {
    this.#trainer?.terminate();
    this.#trainer = null;
    this.device = null;
    this.chat.abandon();
    if (this.run.state !== 'idle') this.run.state = 'failed';
    this.#fail(text.failure.crash(sentence), text.action.again, () => this.#restart());
  }

  #restart(): void {
    this.failure = null;
    this.#trainer?.terminate();
    this.run.started = null;
    if (this.run.state !== 'finished') this.run.state = 'idle';
    void this.#meetTrainer();
  }

  #call(order: (trainer: Trainer) => Promise<void>): void {
    const trainer = this.#trainer;
    if (trainer) order(trainer).catch((error: unknown) => this.#reportCall(error));
  }

  #reportCall(error: unknown): void {
    // A failed run has said so in its own event already, with a better sentence.
    if (this.run.state === 'failed' && this.failure) return;
    if (this.run.busy) this.run.state = 'failed';
    this.#fail(text.failure.trainer(sentenceOf(error)), text.action.startOver, () => this.#startOver());
  }

  #fail(sentence: string, action: string, act: () => void): void {
    this.failure = { sentence, action, act: () => ((this.failure = null), act()) };
  }

  // A config need not name every term: the others weigh what their environment says.
  #rewardWeights(): Readonly<Record<string, number>> | null {
    const config = this.view === 'live' ? this.run.started?.config : this.view === 'recording' ? this.replay.recording?.config : undefined;
    if (!config) return null;
    const preset = this.setup.catalog?.presets.find((each) => each.config.environment.name === config.environment.name);
    const standard = config.environment.source === undefined ? Object.entries(preset?.environment.rewards ?? {}) : [];
    return { ...Object.fromEntries(standard.map(([name, { weight }]) => [name, weight])), ...config.rewards };
  }

  #askedBefore(): readonly RolloutView[] {
    if (this.run.rollouts.length > 0) return this.run.rollouts;
    const { recording } = this.replay;
    const config = this.run.started?.config ?? this.setup.config;
    return recording && sameJson(recording.config.environment, config?.environment) ? recording.rollouts : [];
  }

  #total(): number {
    if (this.view === 'recording') return this.replay.total;
    if (this.view === 'author') return this.author?.config.iterations ?? 0;
    return this.status.total;
  }

  /** What the run is drawn against: the author's curve, else the recorded run of the same preset. */
  #ghost(): Ghost | null {
    if (this.view === 'recording') return null;
    const { author } = this;
    if (author?.curve) return { values: author.curve, span: author.reached ?? author.config.iterations, name: text.shown.ghostAuthor };
    const { recording } = this.replay;
    if (!recording || recording.preset !== this.setup.preset?.name) return null;
    return { values: recording.metrics.map((metrics) => metrics.success), span: recording.metrics.length, name: text.shown.ghostRecorded };
  }

  #verdict(): ReturnType<typeof reproductionVerdict> | null {
    const { reproduction, fingerprint } = this.run;
    if (!reproduction || !this.author) return null;
    const compared = Math.min(this.author.fingerprint?.length ?? 0, fingerprint.length);
    const adapter = this.device?.ok ? this.device.adapter : null;
    return reproductionVerdict(reproduction, compared, this.run.iteration, adapter !== null && adapter === this.author.adapter);
  }
}

/** The settings of a link: what follows `?` (or `#`) if it names a link version. */
function linkIn(hash: string): string | null {
  const query = hash.includes('?') ? hash.slice(hash.indexOf('?') + 1) : hash.slice(1);
  return /(^|&)v=/.test(query) ? query : null;
}

const sentenceOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
