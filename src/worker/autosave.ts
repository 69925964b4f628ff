/**
 * The last good state of a run: in memory, to go back to, and on its way to the browser's storage. It says when the
 * next one is due and tells the page what became of each; a failing storage never stops a run. How a state is taken is
 * the run's business.
 */
import type { RunEvent, SavedRun } from './protocol';
import type { RunState, SavedRuns } from './saved-runs';

/** Two states are at least and at most this far apart. */
const shortestMs = 5_000;
const longestMs = 30_000;
/** In between, taking states may cost this share of a run's time. */
const share = 0.02;

export interface Kept {
  readonly run: SavedRun;
  readonly state: RunState;
}

export class Autosave {
  private dueMs = Infinity;
  private waiting: Kept | null = null;
  private writing: Promise<void> | null = null;
  private failing = false;

  private lastKept: Kept | null = null;
  private lastState: RunState | null;

  /** @param first the state that a restored run begins with; held until another is kept */
  constructor(
    private readonly runs: Pick<SavedRuns, 'save'>,
    first: RunState | null,
    private readonly emit: (event: RunEvent) => void,
  ) {
    this.lastState = first;
  }

  get isDue(): boolean {
    return performance.now() >= this.dueMs;
  }

  /** The state to go back to. */
  get last(): RunState | null {
    return this.lastState;
  }

  get kept(): Kept | null {
    return this.lastKept;
  }

  /** @param costMs how long the run waited for the state to be taken */
  keep(run: SavedRun, state: RunState, costMs: number): void {
    this.dueMs = performance.now() + Math.min(longestMs, Math.max(shortestMs, costMs / share));
    // Where storage is slower than training, states in between are left out.
    this.waiting = this.lastKept = { run, state };
    this.lastState = state;
    this.writing ??= this.write().finally(() => (this.writing = null));
  }

  /** The run begins to train, from the last state if there is one. */
  start(): void {
    this.dueMs = performance.now() + shortestMs;
  }

  /** No state could be taken: the next attempt is a whole interval away. */
  postpone(): void {
    this.dueMs = performance.now() + longestMs;
  }

  /** Resolves when nothing is on its way to storage. Never rejects. */
  async written(): Promise<void> {
    await this.writing;
  }

  /** Says once that states are not stored, and once that they are again. */
  complain(reason: string): void {
    if (this.failing) return;
    this.failing = true;
    const sentence = `${reason} The run is kept in memory only and goes on; download it before you close this page.`;
    this.emit({ type: 'notice', notice: { kind: 'not-saved', sentence, remedy: 'download' } });
  }

  private async write(): Promise<void> {
    while (this.waiting) {
      const { run, state } = this.waiting;
      this.waiting = null;
      try {
        await this.runs.save(run, state);
        this.relax();
        this.emit({ type: 'saved', iteration: run.iteration });
      } catch (error) {
        const full = (error as Error).name === 'QuotaExceededError';
        this.complain(
          full
            ? 'This browser has no space left to save the run.'
            : 'This browser does not let the page save the run (a private window, maybe).',
        );
      }
    }
  }

  private relax(): void {
    if (!this.failing) return;
    this.failing = false;
    this.emit({
      type: 'notice',
      notice: { kind: 'not-saved', sentence: 'The run is saved in this browser again.', remedy: 'none' },
    });
  }
}
