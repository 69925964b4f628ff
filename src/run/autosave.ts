/**
 * The last good state of a run: in memory, to recover from, and on its way to the browser's storage. Tells when the
 * next capture is due and reports each save to the page. A failing storage never stops the run.
 */
import type { RunEvent } from './events';
import type { SavedRun } from './store/saved-run';
import type { RunSnapshot } from './store/run-snapshot';
import type { SavedRuns } from './store/saved-runs';

/** Bounds of the time between two captures. */
const minIntervalMs = 5_000;
const maxIntervalMs = 30_000;
/** Between the bounds, captures may take this share of a run's time. */
const maxTimeShare = 0.02;

export interface SavedState {
  readonly run: SavedRun;
  readonly snapshot: RunSnapshot;
}

export class Autosave {
  private dueMs = Infinity;
  private unwritten: SavedState | null = null;
  private writing: Promise<void> | null = null;
  private failing = false;
  private lastSaved: SavedState | null = null;
  private lastSnapshot: RunSnapshot | null;

  /** @param first the state that a restored run starts from; `last` until another is saved */
  constructor(
    private readonly runs: Pick<SavedRuns, 'save'>,
    first: RunSnapshot | null,
    private readonly emit: (event: RunEvent) => void,
  ) {
    this.lastSnapshot = first;
  }

  get isDue(): boolean {
    return performance.now() >= this.dueMs;
  }

  /** The state to recover from. */
  get last(): RunSnapshot | null {
    return this.lastSnapshot;
  }

  /** The last state given to `save`, whether or not storage took it. */
  get savedState(): SavedState | null {
    return this.lastSaved;
  }

  /** @param costMs how long training waited for the capture */
  save(run: SavedRun, snapshot: RunSnapshot, costMs: number): void {
    this.dueMs = performance.now() + Math.min(maxIntervalMs, Math.max(minIntervalMs, costMs / maxTimeShare));
    // Where storage is slower than training, the newest state replaces one that was not written yet.
    this.unwritten = this.lastSaved = { run, snapshot };
    this.lastSnapshot = snapshot;
    this.writing ??= this.write().finally(() => (this.writing = null));
  }

  /** Starts the clock when training begins. */
  start(): void {
    this.dueMs = performance.now() + minIntervalMs;
  }

  /** The next capture is due at once. */
  hasten(): void {
    this.dueMs = performance.now();
  }

  /** After a capture that failed: the next one is due in `maxIntervalMs`. */
  postpone(): void {
    this.dueMs = performance.now() + maxIntervalMs;
  }

  /** Resolves when nothing is on its way to storage. Never rejects. */
  async written(): Promise<void> {
    await this.writing;
  }

  /** Tells the page once that states are not stored, until they are again. */
  reportFailure(reason: string): void {
    if (this.failing) return;
    this.failing = true;
    const sentence = `${reason} The run is kept in memory only and goes on; download it before you close this page.`;
    this.emit({ type: 'notice', notice: { kind: 'not-saved', sentence, remedy: 'download' } });
  }

  private async write(): Promise<void> {
    while (this.unwritten) {
      const { run, snapshot } = this.unwritten;
      this.unwritten = null;
      try {
        await this.runs.save(run, snapshot);
        this.tellStored();
        this.emit({ type: 'saved', id: run.id, iteration: run.iteration });
      } catch (error) {
        const full = (error as Error).name === 'QuotaExceededError';
        this.reportFailure(
          full
            ? 'This browser has no space left to save the run.'
            : 'This browser does not let the page save the run (a private window, maybe).',
        );
      }
    }
  }

  private tellStored(): void {
    if (!this.failing) return;
    this.failing = false;
    this.emit({
      type: 'notice',
      notice: { kind: 'not-saved', sentence: 'The run is saved in this browser again.', remedy: 'none' },
    });
  }
}
