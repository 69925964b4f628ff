/** Reports what a run did while its tab was hidden for long. */
import type { LiveRun } from './live-run.svelte';
import { text } from './text';

/** Shorter absences are not reported. */
const longAwayMs = 60_000;

export class Away {
  /** The iteration of a busy run when the page was hidden. */
  #from: number | null = null;

  left(run: LiveRun): void {
    this.#from ??= run.busy ? run.iteration : null;
  }

  /** A sentence, or null if there is nothing to report. */
  returned(run: LiveRun, awayMs: number): string | null {
    const from = this.#from;
    this.#from = null;
    if (from === null || awayMs < longAwayMs || run.started === null) return null;
    return text.notice.hidden(awayMs, Math.max(0, run.iteration - from), run.savedAt);
  }
}
