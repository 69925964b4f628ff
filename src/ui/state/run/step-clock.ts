/** Clocks that estimate how long something takes from the intervals that they have seen. */

const kept = 20;
/** Fewer intervals than this say nothing worth showing. */
const needed = 5;

/** The median of the last 20 intervals between steps, so that one slow step does not move it. */
export class StepClock {
  #lastMs: number | null = null;
  #intervalsMs: number[] = [];

  /** A step ended at this time. */
  tick(nowMs: number): void {
    if (this.#lastMs !== null) this.#intervalsMs = [...this.#intervalsMs, nowMs - this.#lastMs].slice(-kept);
    this.#lastMs = nowMs;
  }

  /** Training was interrupted: the time until the next step does not count. */
  interrupt(): void {
    this.#lastMs = null;
  }

  clear(): void {
    this.#lastMs = null;
    this.#intervalsMs = [];
  }

  /** Median milliseconds a step, or null while too few steps were seen. */
  get medianMs(): number | null {
    if (this.#intervalsMs.length < needed) return null;
    const sorted = [...this.#intervalsMs].sort((a, b) => a - b);
    const middle = sorted.length >> 1;
    return sorted.length % 2 === 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
  }
}

/** A shorter guess than this after the first count would jump about. */
const settledMs = 2000;

/** Time left of a phase that counts up, from its mean speed since it was first seen. */
export class PhaseClock {
  #startMs: number | null = null;
  #startDone = 0;

  clear(): void {
    this.#startMs = null;
  }

  /** Milliseconds until `total`, or null while too few steps were seen. */
  leftMs(done: number, total: number, nowMs: number): number | null {
    if (this.#startMs === null || done < this.#startDone) {
      this.#startMs = nowMs;
      this.#startDone = done;
    }
    const elapsedMs = nowMs - this.#startMs;
    const counted = done - this.#startDone;
    return elapsedMs < settledMs || counted === 0 ? null : (elapsedMs / counted) * (total - done);
  }
}
