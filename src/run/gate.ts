/**
 * Holds the state of a run, and stops it between submissions: it waits here while paused, and leaves by an exception
 * when dropped.
 */
import { hasEnded, isClosed, nextPhase, type PhaseEvent, type RunPhase } from './run-state';

/** Thrown inside a run that was dropped; `Run.start` ignores it. */
export class RunDropped extends Error {
  constructor() {
    super('the run was dropped');
  }
}

export class Gate {
  private now: RunPhase = 'new';
  private interruption: Error | null = null;
  /** Those of the run that wait: of two shifts of episodes both may. */
  private waiting: (() => void)[] = [];
  /** Those that wait for the run to stand still. */
  private requests: (() => void)[] = [];

  /** @param onEvent called after each event */
  constructor(private readonly onEvent: (phase: RunPhase, event: PhaseEvent) => void) {}

  /** @throws WrongRunEvent */
  send(event: PhaseEvent): void {
    this.now = nextPhase(this.now, event);
    if (this.now === 'paused' || !isClosed(this.now)) for (const resolve of this.requests.splice(0)) resolve();
    if (!isClosed(this.now)) this.wakeUp();
    this.onEvent(this.now, event);
  }

  /** Called by the run. Resolves at once unless the gate is closed. @throws RunDropped, or the interruption */
  readonly wait = async (): Promise<void> => {
    while (this.isClosed && !this.interruption)
      await new Promise<void>((wake) => {
        this.waiting.push(wake);
        if (this.now !== 'paused') this.send('arrive');
      });
    await this.check();
    if (this.interruption) throw this.interruption;
  };

  /** For work beside the run, which a pause does not stop. @throws RunDropped */
  readonly check = async (): Promise<void> => {
    if (this.now === 'dropped') throw new RunDropped();
  };

  /** Resolves when the run waits, is resumed before it waited, or has ended. */
  async requestPause(): Promise<void> {
    this.send('pause');
    if (this.now !== 'paused') await new Promise<void>((resolve) => this.requests.push(resolve));
  }

  /** Makes `wait` throw this error, now and later, until it is cleared. A closed gate stays closed. */
  interrupt(error: Error): void {
    this.interruption = error;
    this.wakeUp();
  }

  clearInterrupt(): void {
    this.interruption = null;
  }

  get isClosed(): boolean {
    return isClosed(this.now);
  }

  get isWaiting(): boolean {
    return this.waiting.length > 0;
  }

  get hasEnded(): boolean {
    return hasEnded(this.now);
  }

  private wakeUp(): void {
    for (const wake of this.waiting.splice(0)) wake();
  }
}
