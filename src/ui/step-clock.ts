/** How long a step takes: the median of the last 20 intervals between steps, so that one slow step does not move it. */

const kept = 20;
/** Fewer intervals than this say nothing worth showing. */
const needed = 5;

export class StepClock {
  #lastMs: number | null = null;
  #intervalsMs: number[] = [];

  /** A step ended at this time. */
  tick(nowMs: number): void {
    if (this.#lastMs !== null) this.#intervalsMs = [...this.#intervalsMs, nowMs - this.#lastMs].slice(-kept);
    this.#lastMs = nowMs;
  }

  /** Training stood still: the time until the next step is not that step's. */
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
