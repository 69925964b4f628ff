/** The recorded run, played from its first iteration to its last. Knows nothing of the trainer. */
import type { Metrics, RolloutView, RunConfig } from '../worker/protocol';
import type { Recording } from '../share/recording';
import { sentenceOf } from './error-sentence';

export type RecordedRun = Recording<RunConfig, Metrics, RolloutView>;

/** How long a replay takes, whatever the length of the run. */
const replayMs = 12_000;
const tickMs = 80;

export class Replay {
  recording = $state.raw<RecordedRun | null>(null);
  /** Set once loading ended without a recording: a sentence. */
  problem = $state<string | null>(null);
  /** Iterations shown so far. */
  shown = $state(0);
  playing = $state(false);

  readonly metrics = $derived(this.recording?.metrics.slice(0, this.shown) ?? []);
  readonly #rolloutsShown = $derived(this.#countRollouts());
  readonly rollouts = $derived(this.recording?.rollouts.slice(0, this.#rolloutsShown) ?? []);
  readonly total = $derived(this.recording?.metrics.length ?? 0);

  #timer: ReturnType<typeof setInterval> | undefined;

  async load(url: string): Promise<void> {
    try {
      const response = await fetch(url);
      if (!response.ok) throw new Error(`the server answered ${response.status}`);
      const recording = (await response.json()) as RecordedRun;
      if (recording.format !== 1) throw new Error(`its format is ${String(recording.format)}, this page reads format 1`);
      this.recording = { ...recording, rollouts: [...recording.rollouts].sort((a, b) => a.iteration - b.iteration) };
    } catch (error) {
      this.problem = `The recorded run could not be loaded: ${sentenceOf(error)}.`;
    }
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
    if (!this.recording || this.shown === 0) return 0;
    const iteration = this.recording.metrics[this.shown - 1].iteration;
    const { rollouts } = this.recording;
    const next = rollouts.findIndex((rollout) => rollout.iteration > iteration);
    return next === -1 ? rollouts.length : next;
  }
}
