/** What a run did while its tab was hidden, told to whoever comes back after long. */
import type { LiveRun } from './live-run.svelte';
import { text } from './text';

/** Away for less than this, a person need not be told. */
const longAwayMs = 60_000;

export class Away {
  /** The run's iteration when the page was hidden while it was at work. */
  #from: number | null = null;

  left(run: LiveRun): void {
    this.#from ??= run.busy ? run.iteration : null;
  }

  /** A sentence, if there is something to tell. */
  returned(run: LiveRun, awayMs: number): string | null {
    const from = this.#from;
    this.#from = null;
    if (from === null || awayMs < longAwayMs || run.started === null) return null;
    return text.notice.hidden(awayMs, Math.max(0, run.iteration - from), run.savedAt);
  }
}
