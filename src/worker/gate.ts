/**
 * The gate a run passes between GPU submissions: it waits here while paused and leaves by an exception when dropped.
 */

/** Thrown inside a run that was dropped; whoever started the run swallows it. */
export class RunDropped extends Error {
  constructor() {
    super('the run was dropped');
  }
}

export class Gate {
  private closed = false;
  private dropped = false;
  private ended = false;
  private waiting = false;
  private interruption: Error | null = null;
  private open: () => void = () => undefined;
  /** Whoever asked for a pause and has no answer yet. */
  private askers: (() => void)[] = [];

  /** @param onWait called when the run begins to wait, and when a pause is asked for while it waits */
  constructor(private readonly onWait: () => void) {}

  /** To be awaited by the run. */
  readonly pass = async (): Promise<void> => {
    while (this.closed && !this.dropped && !this.interruption) {
      const opened = new Promise<void>((resolve) => (this.open = resolve));
      this.waiting = true;
      this.onWait();
      this.answer();
      await opened;
      this.waiting = false;
    }
    if (this.dropped) throw new RunDropped();
    if (this.interruption) {
      const error = this.interruption;
      this.interruption = null;
      throw error;
    }
  };

  /** For work beside the run: never waits, but leaves with the run when that is dropped. */
  readonly check = async (): Promise<void> => {
    if (this.dropped) throw new RunDropped();
  };

  /** Resolves when the run waits at the gate, is let go again, or has ended. */
  close(): Promise<void> {
    if (this.ended || this.dropped) return Promise.resolve();
    this.closed = true;
    if (this.waiting) {
      this.onWait();
      return Promise.resolve();
    }
    return new Promise((resolve) => this.askers.push(resolve));
  }

  /** Closes without waiting for the run to come by. */
  shut(): void {
    this.closed = true;
  }

  release(): void {
    this.closed = false;
    this.answer();
    this.open();
  }

  /** Sends the run away from the gate by this error, now or when it comes by; the gate stays as it is. */
  interrupt(error: Error): void {
    this.interruption = error;
    this.open();
  }

  /** Forgets an interruption that nobody was sent away by. */
  calm(): void {
    this.interruption = null;
  }

  drop(): void {
    this.dropped = true;
    this.answer();
    this.open();
  }

  /** The run is over and will not come by again. */
  end(): void {
    this.ended = true;
    this.closed = false;
    this.answer();
  }

  get isClosed(): boolean {
    return this.closed;
  }

  /** The run stands at the gate. */
  get isWaiting(): boolean {
    return this.waiting;
  }

  get hasEnded(): boolean {
    return this.ended;
  }

  private answer(): void {
    for (const resolve of this.askers.splice(0)) resolve();
  }
}
