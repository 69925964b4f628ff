/** What the page shows: which run (the recorded one, a link author's, this tab's), what it is drawn against, and where the pointer is. Changes none of them. */
import type { Catalog, Comparison, DeviceReport, OpenedLink, RolloutView, RunConfig } from '../worker/protocol';
import { sameJson } from './config-path';
import type { LiveRun } from './live-run.svelte';
import type { RecordedRun, Replay } from './replay.svelte';
import { ghostOfAuthor, ghostOfRecording, reachedBy, type Ghost } from './ghost';
import { reproductionVerdict } from './reproduction';
import { runName } from './run-name';
import type { Setup } from './setup.svelte';
import { text } from './text';
import type { Trainer } from './trainer';

export type View = 'recording' | 'author' | 'live';

export class Shown {
  view = $state<View>('recording');
  /** The link this page was opened with. */
  author = $state.raw<OpenedLink | null>(null);
  /** The author whom this tab's run is compared with. */
  comparedWith = $state.raw<OpenedLink | null>(null);
  /** Iteration under the pointer, shared by charts and rollouts. */
  cursor = $state<number | null>(null);

  readonly metrics = $derived.by(() => (this.view === 'live' ? this.run.metrics : this.view === 'recording' ? this.replay.metrics : []));
  readonly rollouts = $derived.by(() => (this.view === 'live' ? this.run.rollouts : this.view === 'recording' ? this.replay.rollouts : []));
  readonly vocabulary = $derived.by(() => (this.view === 'live' ? this.run.started?.vocabulary : this.replay.recording?.vocabulary) ?? []);
  readonly specialTokens = $derived.by(
    () => (this.view === 'live' ? this.run.started?.specialTokens : this.replay.recording?.specialTokens) ?? [],
  );
  /** Weight of each reward term in the run that is shown. */
  readonly rewardWeights = $derived.by(() => rewardWeightsOf(this.config, this.setup.catalog));
  /** Iterations planned in the run that is shown. */
  readonly total = $derived(this.#total());
  /** What the run is drawn against. */
  readonly ghost = $derived.by(() =>
    this.view === 'recording' ? null : ghostOf(this.author, this.replay.recording, this.setup.preset?.name),
  );
  /** Rollouts on tasks like those of the agent one would talk to: of this tab's run, else of the recorded run if its environment is the same. */
  readonly askedBefore = $derived(this.#askedBefore());

  constructor(
    private readonly run: LiveRun,
    private readonly replay: Replay,
    private readonly setup: Setup,
  ) {}

  /**
   * From now on this tab's run is one of this config. @returns the link's author if that run can be compared with theirs: digests of two
   * different configs say nothing about each other
   */
  compareRun(config: RunConfig): OpenedLink | null {
    this.comparedWith = this.author && sameJson(this.author.config, config) ? this.author : null;
    return this.comparedWith;
  }

  /** How this tab's run stands to the author's whose panel is open. */
  verdict(device: DeviceReport | null): ReturnType<typeof reproductionVerdict> | null {
    const { author, comparedWith } = this;
    const { reproduction } = this.run;
    // Another link may have been opened since, and nothing was compared with that.
    if (!reproduction || !author || !sameJson(author, comparedWith)) return null;
    const adapter = device?.ok ? device.adapter : null;
    const last = reachedBy(author)?.points.at(-1)?.x ?? 0;
    return reproductionVerdict(reproduction, author.fingerprint?.length ?? 0, last, adapter !== null && adapter === author.adapter);
  }

  /** Config of the run that is shown. */
  get config(): RunConfig | undefined {
    return this.view === 'live' ? this.run.started?.config : this.view === 'recording' ? this.replay.recording?.config : undefined;
  }

  /** What the files of a run are called, without the step and the ending. */
  nameOf(config: RunConfig | undefined): string {
    return config ? runName(config, this.run.started?.title ?? '', this.setup.catalog) : 'agentlet';
  }

  /** Rollouts of the run that is shown through every estimator. Rejects with a sentence. */
  async compareEstimators(rollouts: readonly RolloutView[], trainer: Trainer | null): Promise<Comparison> {
    const { config } = this;
    if (!trainer || !config) throw new Error(text.estimators.notReady);
    return trainer.api.compareEstimators(rollouts, config);
  }

  #total(): number {
    if (this.view === 'recording') return this.replay.total;
    if (this.view === 'author') return this.author?.config.iterations ?? 0;
    return this.run.started?.config.iterations ?? this.setup.config?.iterations ?? 0;
  }

  #askedBefore(): readonly RolloutView[] {
    if (this.run.rollouts.length > 0) return this.run.rollouts;
    const { recording } = this.replay;
    const config = this.run.started?.config ?? this.setup.config;
    return recording && sameJson(recording.config.environment, config?.environment) ? recording.rollouts : [];
  }
}

/** The author's curve, else the recorded run if it is of this preset. */
function ghostOf(author: OpenedLink | null, recording: RecordedRun | null, preset: string | undefined): Ghost | null {
  const ghost = author && ghostOfAuthor(author);
  if (ghost) return ghost;
  return recording && recording.preset === preset ? ghostOfRecording(recording.metrics) : null;
}

/** A config need not name every term: the others weigh what their environment says. */
function rewardWeightsOf(config: RunConfig | undefined, catalog: Catalog | null): Readonly<Record<string, number>> | null {
  if (!config) return null;
  const preset = catalog?.presets.find((each) => each.config.environment.name === config.environment.name);
  const standard = config.environment.source === undefined ? Object.entries(preset?.environment.rewards ?? {}) : [];
  return { ...Object.fromEntries(standard.map(([name, { weight }]) => [name, weight])), ...config.rewards };
}
