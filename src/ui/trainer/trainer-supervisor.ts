/**
 * Supervises the trainer worker: starts it, watches its heartbeat, and reports a crash and whether to restart it. Does
 * not restore runs.
 */
import { Heartbeat } from './heartbeat';
import { text } from './text';
import { startTrainer, type TrainerClient } from './trainer-client';

/** Crashes at the same place of a run before a person is asked. */
const maxRestarts = 3;

export interface TrainerSupervisorOptions {
  /** Iterations of the run so far: a trainer that got further than the one before crashed for another reason. */
  readonly reached: () => number;
  /** The trainer may be silent now. */
  readonly isExcused: () => boolean;
  /** `mayRestart` is false once too many trainers crashed at the same place. */
  readonly onCrash: (reason: string, mayRestart: boolean) => void;
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
    const trainer = startTrainer((message) =>
      this.#crashed(trainer, message.replace(/^(Uncaught )?(\w*Error: )?/, '')),
    );
    const heartbeat = new Heartbeat({
      ask: () => trainer.api.alive(),
      isExcused: this.options.isExcused,
      onStuck: () => this.#crashed(trainer, text.silent),
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
