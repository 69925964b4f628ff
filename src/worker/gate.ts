/** The gate a run passes between GPU submissions: it waits here while paused and leaves by an exception when dropped. */

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
  private open: () => void = () => undefined;
  private reached: () => void = () => undefined;

  /** @param onWait called when the run begins to wait */
  constructor(private readonly onWait: () => void) {}

  /** To be awaited by the run. */
  readonly pass = async (): Promise<void> => {
    while (this.closed && !this.dropped) {
      const opened = new Promise<void>((resolve) => (this.open = resolve));
      this.onWait();
      this.reached();
      await opened;
    }
    if (this.dropped) throw new RunDropped();
  };

  /** Resolves when the run waits at the gate, or has ended. */
  close(): Promise<void> {
    this.closed = true;
    if (this.ended) return Promise.resolve();
    return new Promise((resolve) => (this.reached = resolve));
  }

  /** The run is over and will not come by again. */
  end(): void {
    this.ended = true;
    this.reached();
  }

  /** Closes without waiting for the run to come by. */
  shut(): void {
    this.closed = true;
  }

  release(): void {
    this.closed = false;
    this.open();
  }

  drop(): void {
    this.dropped = true;
    this.reached();
    this.open();
  }

  get isClosed(): boolean {
    return this.closed;
  }

  /** Whether the run is over. */
  get hasEnded(): boolean {
    return this.ended;
  }
}
