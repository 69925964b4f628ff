/**
 * Keeps a trainer worker at work: starts it, listens to its heart, and when it is gone says whether another may take
 * its place. What the next one shall do is not decided here.
 */
import { Heartbeat } from './heartbeat';
import { text } from './text';
import { startTrainer, type TrainerClient } from './trainer-client';

/** Trainers that may die at the same place of a run before a person is asked. */
const maxRestarts = 3;

export interface TrainerSupervisorOptions {
  /** Iterations of the run so far: a trainer that got further than the one before died of something else. */
  readonly reached: () => number;
  /** The trainer may be silent now. */
  readonly isExcused: () => boolean;
  /** The trainer died of this; `mayRestart` is false once too many died at the same place. */
  readonly onDeath: (reason: string, mayRestart: boolean) => void;
}

export class TrainerSupervisor {
  /** Null before the first start and between a death and the next start. */
  trainer: TrainerClient | null = null;
  #heartbeat: Heartbeat | null = null;
  #deaths = 0;
  #diedAt = -1;

  constructor(private readonly options: TrainerSupervisorOptions) {}

  /** Starts a trainer in place of the one before, if there was one. */
  start(): TrainerClient {
    this.stop();
    // Chromium and Firefox each begin the message in their own way.
    const trainer = startTrainer((message) => this.#died(trainer, message.replace(/^(Uncaught )?(\w*Error: )?/, '')));
    const heartbeat = new Heartbeat({
      ask: () => trainer.api.alive(),
      isExcused: this.options.isExcused,
      onStuck: () => this.#died(trainer, text.silent),
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

  /** What died before does not count against the run that begins now. */
  resetFailures(): void {
    this.#deaths = 0;
    this.#diedAt = -1;
  }

  #died(trainer: TrainerClient, reason: string): void {
    if (trainer !== this.trainer) return;
    this.stop();
    const reached = this.options.reached();
    if (reached > this.#diedAt) this.#deaths = 0;
    this.#diedAt = Math.max(this.#diedAt, reached);
    this.#deaths += 1;
    this.options.onDeath(reason, this.#deaths <= maxRestarts);
  }
}
