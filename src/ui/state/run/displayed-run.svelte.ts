/**
 * The displayed run: the recorded one, a link author's, or this tab's, with its ghost and the crosshair. Charts,
 * rollouts and texts describe it; only where there is no run do they describe the setup. Changes no run.
 */
import type { Catalog } from '../../../config/catalog';
import type { DeviceReport } from '../../../worker/protocol';
import type { RunConfig } from '../../../config/config';
import type { OpenedLink } from '../../../config/run-link';
import type { Comparison } from '../../../rl/diagnostics/comparison';
import type { RolloutView } from '../../../rl/rollouts/view';
import { sameJson } from '../../../lib/same-json';
import { ghostOfAuthor, ghostOfRecording, type Ghost } from '../../../presentation/charts/ghost';
import { turningPoint } from '../../../share/turning-point';
import { reachedBy } from '../../../share/reached';
import type { LiveRun } from './live-run.svelte';
import type { RecordedRun, Recordings, Replay } from './recordings.svelte';
import { describeReproduction, type ReproductionResult } from './reproduction';
import { runName, sameRun } from '../../../config/run-name';
import { authorSource, liveSource, recordingSource, solvedAnswer, type RunSource } from './run-source';
import type { Setup } from '../setup/setup.svelte';
import { Drawings, toDraw } from './drawings';
import { text } from './text';
import type { DrawMany } from '../../../presentation/run-files';
import type { DrawingSource } from '../../view/scenes/drawings';
import type { TokenSource } from '../../view/rollouts/token-source';
import type { TrainerClient } from '../../trainer/trainer-client';

export type View = 'recording' | 'author' | 'live';

export class DisplayedRun {
  readonly #drawings = new Drawings();
  view = $state<View>('recording');
  /** The link this page was opened with. */
  author = $state.raw<OpenedLink | null>(null);
  /** The config that this tab's run was started with. */
  ordered = $state.raw<RunConfig | null>(null);
  /** The author whom this tab's run is compared with. */
  comparedWith = $state.raw<OpenedLink | null>(null);
  /** Key of the rollout that the address asks for; null once it was looked for. */
  wantedRollout = $state<string | null>(null);
  /** Iteration under the pointer, shared by charts and rollouts. */
  cursor = $state<number | null>(null);

  readonly #source: RunSource = $derived.by(() => {
    if (this.view === 'live') return liveSource(this.run, this.runConfig, this.setup.config);
    return this.view === 'recording' ? recordingSource(this.replay) : authorSource(this.author);
  });
  readonly metrics = $derived.by(() => this.#source.metrics);
  readonly rollouts = $derived.by(() => this.#source.rollouts);
  readonly configChanges = $derived.by(() => this.#source.configChanges);
  readonly vocabulary = $derived.by(() => this.#source.vocabulary);
  readonly specialTokens = $derived.by(() => this.#source.specialTokens);
  readonly total = $derived.by(() => this.#source.total);
  readonly groups = $derived.by(() => this.#source.groups);
  readonly answers = $derived.by(() => this.#source.answers);
  /** Where the behaviour of a run that is over changed. */
  readonly turningPoint = $derived.by(() =>
    this.metrics.at(-1)?.iteration === this.total ? turningPoint(this.metrics, this.rollouts) : null,
  );
  /** Weight of each reward term in the run that is shown. */
  readonly rewardWeights = $derived.by(() => rewardWeightsOf(this.config, this.setup.catalog));
  /** What its algorithm compares a reward with, in a sentence. */
  readonly baseline = $derived.by(
    () => this.config && this.setup.catalog?.aboutAlgorithms[this.config.algorithm.name].baseline,
  );
  /** Config of the displayed run, else of the setup. */
  readonly subject = $derived.by(() => this.config ?? this.setup.config);
  /** What it is called; null before foreign code has run. */
  readonly title = $derived.by(() => this.subject && this.setup.titleOf(this.subject));
  /** Title and texts of its environment; null before foreign code has run. */
  readonly environment = $derived.by(() => this.subject && this.setup.environmentOf(this.subject));
  /** The displayed recording, or the recording in the environment of the displayed run. */
  readonly recorded = $derived.by(() =>
    this.view === 'recording' ? this.replay.recording : this.#recordedLike(this.subject),
  );
  /** Preset whose recorded run is displayed. */
  readonly recordedPreset = $derived.by(() =>
    this.view === 'recording' ? (this.replay.recording?.preset ?? null) : null,
  );
  /** Presets whose recordings are needed now. */
  readonly wanted = $derived.by(() =>
    [this.chosenPreset, this.subject && this.setup.presetOf(this.subject)?.name].filter((name) => name != null),
  );
  /** The curve behind the displayed run. */
  readonly ghost: Ghost | null = $derived.by(() => this.#ghost());
  /** This tab's run is shown, and it has reached its end. */
  readonly isFinished = $derived.by(() => this.view === 'live' && this.run.state === 'finished');
  /** The answer that a finished run is read by: to a task that it could not solve before, if there is one. */
  readonly solvedAnswer = $derived.by(() => (this.isFinished ? solvedAnswer(this.answers) : null));
  /**
   * Rollouts on tasks like those of the agent one would talk to: of this tab's run, else of the recorded run if its
   * environment is the same.
   */
  readonly askedBefore = $derived(this.#askedBefore());

  /** The environment of the agent one would talk to; null if unknown. */
  readonly askedWorld = $derived.by(() => {
    const config = this.runConfig ?? this.setup.config;
    return config && this.setup.environmentOf(config);
  });
  /** Questions that it suggests. */
  readonly askable = $derived(this.askedWorld?.examples ?? []);

  constructor(
    private readonly run: LiveRun,
    private readonly replay: Replay,
    private readonly setup: Setup,
    private readonly recordings: Recordings,
    /** Preset to replay until the trainer has listed the presets; null if the address opens something else. */
    private readonly firstPreset: string | null,
  ) {}

  /** The preset to replay: the one in the setup, and none for an environment that no preset has. */
  get chosenPreset(): string | null {
    if (!this.setup.config) return this.firstPreset;
    return this.setup.config.environment.source === undefined ? (this.setup.preset?.name ?? null) : null;
  }

  /** Its recording: null if there is none, undefined while that is not known. */
  get toReplay(): RecordedRun | null | undefined {
    if (this.chosenPreset !== null) return this.recordings.of(this.chosenPreset);
    return this.setup.config ? null : undefined;
  }

  /** Config of this tab's run, from the order on. */
  get runConfig(): RunConfig | undefined {
    return this.run.started?.config ?? (this.run.busy ? (this.ordered ?? undefined) : undefined);
  }

  /**
   * From now on this tab's run is one of this config. @returns the link's author if that run can be compared with
   * theirs: digests of two different configs say nothing about each other
   */
  compareRun(config: RunConfig): OpenedLink | null {
    this.ordered = config;
    this.comparedWith = this.author && sameRun(this.author.config, config) ? this.author : null;
    return this.comparedWith;
  }

  /** How this tab's run compares with the author's whose panel is open. */
  reproduction(device: DeviceReport | null): ReproductionResult | null {
    const { author, comparedWith } = this;
    const { reproduction } = this.run;
    // Another link may have been opened since, and nothing was compared with that.
    if (!reproduction || !author || !sameJson(author, comparedWith)) return null;
    const adapter = device && this.ordered && adapterOf(device, this.ordered);
    return describeReproduction(
      reproduction,
      author.fingerprint?.length ?? 0,
      reachedBy(author)?.points.at(-1) ?? null,
      adapter !== null && adapter === author.adapter,
    );
  }

  /** Config of the run that is shown. */
  get config(): RunConfig | undefined {
    return this.#source.config;
  }

  /** What the files of a run are called, without the step and the ending. */
  nameOf(config: RunConfig | undefined): string {
    return config ? runName(config, this.run.started?.title ?? '', this.setup.catalog) : 'agentlet';
  }

  /** Rollouts of the run that is shown through every estimator. Rejects with a sentence. */
  async compareEstimators(rollouts: readonly RolloutView[], trainer: TrainerClient | null): Promise<Comparison> {
    const { config } = this;
    if (!trainer || !config) throw new Error(text.notReady);
    return trainer.api.compareEstimators(rollouts, config);
  }

  /** Numbers of the tokens of the run that is shown. @param hasAgent this tab's run has an agent to ask */
  tokenSource(trainer: () => TrainerClient | null, hasAgent: boolean): TokenSource {
    const api = () => trainer()?.api ?? fail(text.notReady);
    const { config } = this;
    const asks = this.view === 'live' && hasAgent;
    return {
      explain: async (rollout) => api().explainTokens(rollout, config ?? fail(text.notReady)),
      read: asks ? async (rollout) => api().readTokens(rollout) : null,
      inside: asks
        ? { moments: this.run.checkpoints.iterations, look: async (...about) => api().lookInside(...about) }
        : null,
    };
  }

  /** Drawings of the run that is shown. @param isReady there is a trainer to ask */
  drawingSource(trainer: () => TrainerClient | null, isReady: boolean): DrawingSource {
    const { config, recorded, environment } = this;
    // Every world of the catalog draws: before it is here, the drawing's place is kept.
    const draws =
      config !== undefined &&
      (environment?.hooks?.includes('draw') ?? (config.environment.source === undefined && !this.setup.catalog));
    const recording = this.view === 'recording' ? recorded : null;
    if (!draws || (!isReady && !recording)) return { draws, of: null };
    const ask = isReady ? (rollout: RolloutView) => this.#drawings.ask(rollout, config, trainer()) : null;
    return { draws, of: (rollout) => this.#drawings.of(rollout, recording ?? null, ask) };
  }

  /** Draws many rollouts at once, and keeps none of their drawings; null if the world of the run draws none. */
  crowdSource(trainer: () => TrainerClient | null): DrawMany | null {
    const { config, environment } = this;
    if (config === undefined || !environment?.hooks?.includes('draw')) return null;
    return async (rollouts) => (await trainer()?.api.draw(rollouts.map(toDraw), config)) ?? null;
  }

  #askedBefore(): readonly RolloutView[] {
    if (this.run.rollouts.length > 0) return this.run.rollouts;
    return this.#recordedLike(this.runConfig ?? this.setup.config)?.rollouts ?? [];
  }

  #recordedLike(config: RunConfig | null): RecordedRun | null {
    const preset = config && this.setup.presetOf(config);
    const recording = preset && this.recordings.of(preset.name);
    return recording && sameJson(recording.config.environment, config.environment) ? recording : null;
  }

  /** The author's run if it has the environment of the displayed run, else the recorded one. */
  #ghost(): Ghost | null {
    if (this.view === 'recording') return null;
    const here = this.author && sameJson(this.author.config.environment, this.subject?.environment);
    return (here ? ghostOfAuthor(this.author!) : null) ?? (this.recorded && ghostOfRecording(this.recorded.metrics));
  }
}

function fail(sentence: string): never {
  throw new Error(sentence);
}

/** The name of what a run of this config is trained on here. */
function adapterOf({ gpu, cpu, runsOn }: DeviceReport, config: RunConfig): string | null {
  if (runsOn[config.device] === 'cpu') return cpu;
  return gpu.ok ? gpu.adapter : null;
}

/** A config need not name every term: the others weigh what their environment says. */
function rewardWeightsOf(
  config: RunConfig | undefined,
  catalog: Catalog | null,
): Readonly<Record<string, number>> | null {
  if (!config) return null;
  const preset = catalog?.presets.find((each) => each.config.environment.name === config.environment.name);
  const standard = config.environment.source === undefined ? Object.entries(preset?.environment.rewards ?? {}) : [];
  return { ...Object.fromEntries(standard.map(([name, { weight }]) => [name, weight])), ...config.rewards };
}
