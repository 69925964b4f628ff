/**
 * Tells a trainer that is stuck from one that is slow: asks it for a sign of life and counts how long the page itself
 * was awake without an answer. A page that slept, and a trainer that has leave to be silent, start the count anew.
 */

/** Asked this often. */
const beatMs = 5_000;
/** A beat this much later than due means that the page slept. */
const sleptMs = 5_000;
/** Silent for so many beats of a page that was awake: 20 seconds. */
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
    // A refusal is a sign of life, too.
    await this.options.ask().catch(() => undefined);
    this.#asking = false;
    this.#silent = 0;
  }
}
