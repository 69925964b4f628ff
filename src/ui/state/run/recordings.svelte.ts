/** The recorded runs, one per preset, fetched on first use and cached; and the replay of one. Knows no trainer. */
import type { Recording } from '../../../share/recording';
import { unpackRecording, type RecordingFile } from '../../../share/recording-file';
import type { RunConfig } from '../../../config/config';
import type { Metrics } from '../../../rl/report';
import type { RolloutView } from '../../../rl/rollouts/view';

export type RecordedRun = Recording<RunConfig, Metrics, RolloutView>;

export class Recordings {
  /** Null if a preset has none. */
  #known = $state.raw<Readonly<Record<string, RecordedRun | null>>>({});
  readonly #asked = new Map<string, Promise<void>>();

  /** @param folderUrl where the files are, ending in `/` */
  constructor(private readonly folderUrl: string) {}

  /** Null if the preset has none, undefined before the answer. */
  of(preset: string): RecordedRun | null | undefined {
    return this.#known[preset];
  }

  /** Fetches a preset's recording once. Resolves when it is there or known to be missing. */
  ask(preset: string): Promise<void> {
    const asked = this.#asked.get(preset) ?? this.#load(preset);
    this.#asked.set(preset, asked);
    return asked;
  }

  /** Resolves when everything that was asked for is there or known to be missing. */
  async settled(): Promise<void> {
    await Promise.all(this.#asked.values());
  }

  async #load(preset: string): Promise<void> {
    const recording = await this.#fetch(preset).catch(() => null);
    this.#known = { ...this.#known, [preset]: recording };
  }

  async #fetch(preset: string): Promise<RecordedRun | null> {
    const response = await fetch(`${this.folderUrl}${preset}.json`);
    if (!response.ok) return null;
    const file = (await response.json()) as RecordingFile;
    if (file.format !== 2) return null;
    const recording = unpackRecording(file) as RecordedRun;
    if (recording.preset !== preset) return null;
    return { ...recording, rollouts: [...recording.rollouts].sort((a, b) => a.iteration - b.iteration) };
  }
}

/** Duration of a replay of any run. */
const replayMs = 12_000;
const tickMs = 80;

/** The recorded run of the chosen preset, played from its first iteration to its last. */
export class Replay {
  readonly recording = $derived.by(() => this.chosen() ?? null);
  /** The preset has no recording. */
  readonly missing = $derived.by(() => this.chosen() === null);
  /** Iterations shown so far. */
  shown = $state(0);
  playing = $state(false);

  readonly metrics = $derived(this.recording?.metrics.slice(0, this.shown) ?? []);
  readonly #rolloutsShown = $derived(this.#countRollouts());
  readonly rollouts = $derived(this.recording?.rollouts.slice(0, this.#rolloutsShown) ?? []);
  readonly total = $derived(this.recording?.metrics.length ?? 0);

  #timer: ReturnType<typeof setInterval> | undefined;

  /** @param chosen the recording to play: null if there is none, undefined while that is not known */
  constructor(private readonly chosen: () => RecordedRun | null | undefined) {}

  /** Back to before the first iteration, for another recording. */
  rewind(): void {
    this.stop();
    this.shown = 0;
  }

  /** Plays on, or from the start if it was at its end. With `still`, shows the finished run at once instead. */
  play(still: boolean): void {
    if (!this.recording) return;
    this.stop();
    if (still) {
      this.shown = this.total;
      return;
    }
    if (this.shown >= this.total) this.shown = 0;
    const from = this.shown;
    const startMs = performance.now();
    this.playing = true;
    this.#timer = setInterval(() => {
      this.shown = Math.min(this.total, from + Math.ceil(((performance.now() - startMs) / replayMs) * this.total));
      if (this.shown >= this.total) this.stop();
    }, tickMs);
  }

  stop(): void {
    clearInterval(this.#timer);
    this.playing = false;
  }

  // Rollouts are sorted by iteration, so those to show are a prefix; its length alone decides whether the list changes.
  #countRollouts(): number {
    const iteration = this.metrics.at(-1)?.iteration;
    if (!this.recording || iteration === undefined) return 0;
    const { rollouts } = this.recording;
    const next = rollouts.findIndex((rollout) => rollout.iteration > iteration);
    return next === -1 ? rollouts.length : next;
  }
}
