/** Clocks that leave out the time in which a run is paused. */

/** Adds up the time spent waiting in a hook. */
export class PauseClock {
  totalMs = 0;

  constructor(private readonly wait: () => Promise<void>) {}

  readonly beforeSubmit = async (): Promise<void> => {
    const start = performance.now();
    await this.wait();
    this.totalMs += performance.now() - start;
  };
}

export class Stopwatch {
  private start = performance.now();
  private pausedMs: number;

  constructor(private readonly pauses: PauseClock) {
    this.pausedMs = pauses.totalMs;
  }

  /** Milliseconds of work since the last lap. */
  lap(): number {
    const now = performance.now();
    const elapsed = now - this.start - (this.pauses.totalMs - this.pausedMs);
    this.start = now;
    this.pausedMs = this.pauses.totalMs;
    return elapsed;
  }
}
