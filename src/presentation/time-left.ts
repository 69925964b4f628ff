/**
 * How long a run still takes: until its first point, by the pace of the part that it is in and by what such a run took
 * before; then each iteration. Pure.
 */
import type { RunConfig } from '../config/config';
import { median } from '../lib/median';
import { sameJson } from '../lib/same-json';

/** The parts of the wait for the first point, in order. */
export const waitParts = ['prepare', 'copy', 'try'] as const;
export type WaitPart = (typeof waitParts)[number];

/** Milliseconds that parts took once. */
export type PartTimes = Readonly<Partial<Record<WaitPart, number>>>;

/** What is known of the time left; `atLeast` where a part of it was never measured. */
export interface Wait {
  readonly ms: number;
  readonly atLeast: boolean;
}

/** A shorter guess than this after the first count would jump about. */
const settledMs = 2000;
/** Iterations that the median is taken of, so that one slow iteration does not move it. */
const maxIntervals = 20;
/** Fewer than this say nothing worth showing. */
const minIntervals = 5;

export class RunClock {
  #parts: readonly WaitPart[] = [];
  #known: PartTimes = {};
  #taken: Partial<Record<WaitPart, number>> = {};
  #part: WaitPart | null = null;
  #startMs = 0;
  #whole = false;
  /** When the part at hand will be over by its own pace; null while that is unknown. */
  #endMs: number | null = null;
  /** Where the count of the phase at hand was first seen. */
  #counted: { readonly phase: string; readonly done: number; readonly atMs: number } | null = null;
  #iteratedMs: number | null = null;
  #intervalsMs: number[] = [];

  /** A run sets out. @param known what such a run took before */
  begin(parts: readonly WaitPart[], known: PartTimes, nowMs: number): void {
    this.#parts = parts;
    this.#known = known;
    this.#taken = {};
    this.#part = null;
    this.#whole = true;
    this.enter('prepare', nowMs);
  }

  enter(part: WaitPart, nowMs: number): void {
    if (part === this.#part) return;
    if (this.#part !== null) this.#taken[this.#part] = nowMs - this.#startMs;
    this.#part = part;
    this.#startMs = nowMs;
    this.#endMs = null;
  }

  /** The part at hand counts up: it goes on at its mean speed since the phase was first seen. */
  count(phase: string, done: number, total: number, nowMs: number): void {
    if (phase !== this.#counted?.phase || done < this.#counted.done) this.#counted = { phase, done, atMs: nowMs };
    const elapsedMs = nowMs - this.#counted.atMs;
    const counted = done - this.#counted.done;
    if (elapsedMs >= settledMs && counted > 0) this.#endMs = nowMs + (elapsedMs / counted) * (total - done);
  }

  /** An iteration has ended. */
  iterate(nowMs: number): void {
    if (this.#iteratedMs !== null)
      this.#intervalsMs = [...this.#intervalsMs, nowMs - this.#iteratedMs].slice(-maxIntervals);
    this.#iteratedMs = nowMs;
  }

  /** Training stands still: the time until the next count or iteration does not count. */
  interrupt(): void {
    this.#iteratedMs = null;
    this.#counted = null;
  }

  /** Discards the wait: one that was interrupted has no meaningful duration. */
  stop(): void {
    this.#part = null;
    this.#whole = false;
  }

  /** Another run: forgets the iterations. */
  clear(): void {
    this.interrupt();
    this.#intervalsMs = [];
  }

  /** Call at the first point. @returns durations of the parts; null if the wait was interrupted */
  end(nowMs: number): PartTimes | null {
    const taken = this.#whole && this.#part === 'try' ? { ...this.#taken, try: nowMs - this.#startMs } : null;
    this.stop();
    return taken;
  }

  /** Until the first point. Null while nothing is known or no run is waiting. */
  left(nowMs: number): Wait | null {
    if (this.#part === null) return null;
    const later = this.#parts.slice(this.#parts.indexOf(this.#part) + 1);
    const times = [this.#leftOf(this.#part, nowMs), ...later.map((part) => this.#known[part])];
    const known = times.filter((time) => time !== undefined);
    const ms = known.reduce((sum, time) => sum + time, 0);
    const atLeast = known.length < times.length;
    return atLeast && ms < 1000 ? null : { ms, atLeast };
  }

  /** Median milliseconds an iteration, or null while too few were seen. */
  get iterationMs(): number | null {
    return this.#intervalsMs.length < minIntervals ? null : median(this.#intervalsMs);
  }

  /** Of the current part, by its own pace, else by what it took before. */
  #leftOf(part: WaitPart, nowMs: number): number | undefined {
    const usualMs = this.#known[part];
    if (this.#endMs !== null) return Math.max(0, this.#endMs - nowMs);
    return usualMs === undefined ? undefined : Math.max(0, this.#startMs + usualMs - nowMs);
  }
}

/**
 * Duration of a config's warm start here: as measured before, else estimated from the training time for one
 * conversation in a run with the same model and device. Null if neither was measured.
 */
export function copyMs(
  { device, model, warmStart }: RunConfig,
  before: PartTimes,
  measured: { readonly config: RunConfig; readonly trainMs: number } | null,
): number | null {
  if (before.copy !== undefined) return before.copy;
  if (!measured || !sameJson([measured.config.device, measured.config.model], [device, model])) return null;
  const { rollout, algorithm } = measured.config;
  const conversationMs = measured.trainMs / (rollout.tasks * rollout.group * algorithm.epochs);
  return conversationMs * warmStart.steps * warmStart.batch;
}
