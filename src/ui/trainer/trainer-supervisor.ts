/**
 * Supervises the trainer worker: starts it, watches its heartbeat, and reports a crash and whether to restart it. Does
 * not restore runs.
 */
import type { StartTrainer, TrainerClient } from './trainer-client';

/** Crashes at the same place of a run before a person is asked. */
const maxRestarts = 3;

export type TrainerOrder = (trainer: TrainerClient) => Promise<void>;

export interface TrainerSupervisorOptions {
  readonly startTrainer: StartTrainer;
  /** Iterations of the run so far: a trainer that got further than the one before crashed for another reason. */
  readonly reached: () => number;
  /** The trainer may be silent now. */
  readonly isExcused: () => boolean;
  /** How long a trainer that computes may take to answer. */
  readonly maxSilenceMs: () => number;
  /** `mayRestart` is false once too many trainers crashed at the same place. */
  readonly onCrash: (reason: string, mayRestart: boolean) => void;
  /** An order was rejected. */
  readonly onRefused: (error: unknown) => void;
}

export class TrainerSupervisor {
  /** Null before the first start, and between a crash and the next start. */
  trainer: TrainerClient | null = null;
  #heartbeat: Heartbeat | null = null;
  #crashes = 0;
  #crashedAt = -1;

  constructor(private readonly options: TrainerSupervisorOptions) {}

  /** Starts a trainer in place of the one before, if there was one. */
  start(): TrainerClient {
    this.stop();
    // Chromium and Firefox each begin the message in their own way.
    const trainer = this.options.startTrainer((message) =>
      this.#crashed(trainer, message.replace(/^(Uncaught )?(\w*Error: )?/, '')),
    );
    const { isExcused, maxSilenceMs } = this.options;
    const heartbeat = new Heartbeat({
      ask: () => trainer.api.alive(),
      isExcused,
      maxSilenceMs,
      onStuck: () => this.#crashed(trainer, `it gave no sign of life for ${maxSilenceMs() / 1000} seconds`),
    });
    heartbeat.start();
    this.#heartbeat = heartbeat;
    this.trainer = trainer;
    return trainer;
  }

  stop(): void {
    this.#heartbeat?.stop();
    this.#heartbeat = null;
    this.trainer?.terminate();
    this.trainer = null;
  }

  /** Gives an order to the trainer, if there is one. */
  send(order: TrainerOrder): void {
    if (this.trainer) order(this.trainer).catch(this.options.onRefused);
  }

  /** Crashes so far do not count against the run that begins now. */
  resetFailures(): void {
    this.#crashes = 0;
    this.#crashedAt = -1;
  }

  #crashed(trainer: TrainerClient, reason: string): void {
    if (trainer !== this.trainer) return;
    this.stop();
    const reached = this.options.reached();
    if (reached > this.#crashedAt) this.#crashes = 0;
    this.#crashedAt = Math.max(this.#crashedAt, reached);
    this.#crashes += 1;
    this.options.onCrash(reason, this.#crashes <= maxRestarts);
  }
}

/** Time between two pings. */
const beatMs = 5_000;
/** A beat this much later than due means that the page was asleep. */
const sleptMs = 5_000;

export interface HeartbeatOptions {
  /** Resolves when the trainer answers. */
  readonly ask: () => Promise<void>;
  /** The trainer may be silent now: it compiles, or opens its device. */
  readonly isExcused: () => boolean;
  /** Without an answer for so long the trainer counts as stuck. */
  readonly maxSilenceMs: () => number;
  /** Called once; the heartbeat has stopped by then. */
  readonly onStuck: () => void;
}

/**
 * Detects a trainer that hangs: pings it and counts the beats without an answer. The count starts over when the page
 * was asleep, or while the trainer may be silent.
 */
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
    if (this.#silent * beatMs >= this.options.maxSilenceMs()) {
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
