/** The recorded run of the chosen preset, played from its first iteration to its last. Knows nothing of the trainer. */
import type { RecordedRun } from './recordings.svelte';

/** Duration of a replay of any run. */
const replayMs = 12_000;
const tickMs = 80;

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
