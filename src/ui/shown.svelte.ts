/** What the page shows: which run (the recorded one, a link author's, this tab's), what it is drawn against, and where the pointer is. Changes none of them. */
import type { Catalog, Comparison, DeviceReport, OpenedLink, RolloutView, RunConfig } from '../worker/protocol';
import { sameJson } from './config-path';
import type { LiveRun } from './live-run.svelte';
import type { RecordedRun, Replay } from './replay.svelte';
import { reproductionVerdict } from './reproduction';
import type { Setup } from './setup.svelte';
import { text } from './text';
import type { Trainer } from './trainer';

export type View = 'recording' | 'author' | 'live';

/** Another run's success, its points spread evenly over its first `span` iterations. */
export interface Ghost {
  readonly values: readonly number[];
  readonly span: number;
  readonly name: string;
}

export class Shown {
  view = $state<View>('recording');
  /** The link this page was opened with. */
  author = $state.raw<OpenedLink | null>(null);
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

  /** The link's author if the run of this config can be compared with theirs: digests of two different configs say nothing about each other. */
  comparable(config: RunConfig): OpenedLink | null {
    return this.author && sameJson(this.author.config, config) ? this.author : null;
  }

  /** How this tab's run stands to the author's. */
  verdict(device: DeviceReport | null): ReturnType<typeof reproductionVerdict> | null {
    const { reproduction, fingerprint, iteration } = this.run;
    if (!reproduction || !this.author) return null;
    const compared = Math.min(this.author.fingerprint?.length ?? 0, fingerprint.length);
    const adapter = device?.ok ? device.adapter : null;
    return reproductionVerdict(reproduction, compared, iteration, adapter !== null && adapter === this.author.adapter);
  }

  /** Config of the run that is shown. */
  get config(): RunConfig | undefined {
    return this.view === 'live' ? this.run.started?.config : this.view === 'recording' ? this.replay.recording?.config : undefined;
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
  if (author?.curve) return { values: author.curve, span: author.reached ?? author.config.iterations, name: text.shown.ghostAuthor };
  if (!recording || recording.preset !== preset) return null;
  return { values: recording.metrics.map((metrics) => metrics.success), span: recording.metrics.length, name: text.shown.ghostRecorded };
}

/** A config need not name every term: the others weigh what their environment says. */
function rewardWeightsOf(config: RunConfig | undefined, catalog: Catalog | null): Readonly<Record<string, number>> | null {
  if (!config) return null;
  const preset = catalog?.presets.find((each) => each.config.environment.name === config.environment.name);
  const standard = config.environment.source === undefined ? Object.entries(preset?.environment.rewards ?? {}) : [];
  return { ...Object.fromEntries(standard.map(([name, { weight }]) => [name, weight])), ...config.rewards };
}
