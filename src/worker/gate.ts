/** Where a run stops between submissions: it waits here while paused, and leaves by an exception when dropped. */

/** Thrown inside a run that was dropped; `Run.start` ignores it. */
export class RunDropped extends Error {
  constructor() {
    super('the run was dropped');
  }
}

type GateState =
  | { readonly kind: 'open' }
  /** A pause was requested; the run has not reached the gate yet. */
  | { readonly kind: 'closing'; readonly requests: (() => void)[] }
  | { readonly kind: 'waiting'; readonly wake: () => void }
  | { readonly kind: 'ended' }
  | { readonly kind: 'dropped' };

export class Gate {
  private state: GateState = { kind: 'open' };
  private interruption: Error | null = null;

  /** @param onWait called when the run begins to wait, and when a pause is requested while it waits */
  constructor(private readonly onWait: () => void) {}

  /** Called by the run. Resolves at once unless the gate is closed. @throws RunDropped, or the interruption */
  readonly wait = async (): Promise<void> => {
    while (this.state.kind === 'closing' && !this.interruption)
      await new Promise<void>((wake) => {
        this.enter({ kind: 'waiting', wake });
        this.onWait();
      });
    await this.check();
    const { interruption } = this;
    this.interruption = null;
    if (interruption) throw interruption;
  };

  /** For work beside the run, which a pause does not stop. @throws RunDropped */
  readonly check = async (): Promise<void> => {
    if (this.state.kind === 'dropped') throw new RunDropped();
  };

  /** Resolves when the run waits, is released before it waited, or has ended. */
  requestPause(): Promise<void> {
    const { state } = this;
    if (state.kind === 'waiting') this.onWait();
    if (state.kind !== 'open' && state.kind !== 'closing') return Promise.resolve();
    return new Promise((resolve) => {
      if (state.kind === 'closing') state.requests.push(resolve);
      else this.enter({ kind: 'closing', requests: [resolve] });
    });
  }

  release(): void {
    if (this.isClosed) this.enter({ kind: 'open' });
  }

  /** Makes `wait` throw this error, now or when the run next comes by. A closed gate stays closed. */
  interrupt(error: Error): void {
    this.interruption = error;
    if (this.isWaiting) this.enter({ kind: 'closing', requests: [] });
  }

  clearInterrupt(): void {
    this.interruption = null;
  }

  drop(): void {
    this.enter({ kind: 'dropped' });
  }

  /** The run is over and will not come by again. */
  end(): void {
    if (this.state.kind !== 'dropped') this.enter({ kind: 'ended' });
  }

  get isClosed(): boolean {
    return this.state.kind === 'closing' || this.state.kind === 'waiting';
  }

  get isWaiting(): boolean {
    return this.state.kind === 'waiting';
  }

  get hasEnded(): boolean {
    return this.state.kind === 'ended' || this.state.kind === 'dropped';
  }

  private enter(next: GateState): void {
    const before = this.state;
    this.state = next;
    if (before.kind === 'closing') for (const resolve of before.requests) resolve();
    if (before.kind === 'waiting') before.wake();
  }
}
