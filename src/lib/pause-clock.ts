/** Clocks of a run: what is measured is work, so time spent paused is taken out. */

/** Adds up what is waited in a hook, so that a pause counts as nobody's work. */
export class Waits {
  totalMs = 0;

  constructor(private readonly wait: () => Promise<void>) {}

  readonly between = async (): Promise<void> => {
    const start = performance.now();
    await this.wait();
    this.totalMs += performance.now() - start;
  };
}

export class Stopwatch {
  private start = performance.now();
  private waitedMs: number;

  constructor(private readonly waits: Waits) {
    this.waitedMs = waits.totalMs;
  }

  /** Milliseconds of work since the last lap. */
  lap(): number {
    const now = performance.now();
    const elapsed = now - this.start - (this.waits.totalMs - this.waitedMs);
    this.start = now;
    this.waitedMs = this.waits.totalMs;
    return elapsed;
  }
}
