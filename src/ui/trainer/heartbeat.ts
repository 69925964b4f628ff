/**
 * Detects a trainer that hangs: pings it and counts the beats without an answer. The count starts over when the page
 * was asleep, or while the trainer may be silent.
 */

/** Time between two pings. */
const beatMs = 5_000;
/** A beat this much later than due means that the page was asleep. */
const sleptMs = 5_000;
/** Beats without an answer before the trainer counts as stuck: 20 seconds. */
const silentBeats = 4;

export interface HeartbeatOptions {
  /** Resolves when the trainer answers. */
  readonly ask: () => Promise<void>;
  /** The trainer may be silent now: it compiles, or opens its device. */
  readonly isExcused: () => boolean;
  /** Called once; the heartbeat has stopped by then. */
  readonly onStuck: () => void;
}

export class Heartbeat {
  #timer: ReturnType<typeof setInterval> | undefined;
  #lastBeatMs = 0;
  #silent = 0;
  #asking = false;

  constructor(private readonly options: HeartbeatOptions) {}

  start(): void {
    this.#lastBeatMs = performance.now();
    this.#timer = setInterval(() => this.beat(performance.now()), beatMs);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  beat(nowMs: number): void {
    const slept = nowMs - this.#lastBeatMs > beatMs + sleptMs;
    this.#lastBeatMs = nowMs;
    if (slept || this.options.isExcused()) this.#silent = 0;
    else if (this.#asking) this.#silent += 1;
    if (this.#silent >= silentBeats) {
      this.stop();
      this.options.onStuck();
      return;
    }
    if (!this.#asking) void this.#ask();
  }

  async #ask(): Promise<void> {
    this.#asking = true;
    this.#silent = 0;
    // A rejection is an answer, too.
    await this.options.ask().catch(() => undefined);
    this.#asking = false;
    this.#silent = 0;
  }
}
