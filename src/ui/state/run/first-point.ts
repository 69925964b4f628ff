/**
 * How long until a run's first point of reinforcement: from the pace of the phase it is in, and from what such a run
 * took before in this browser. Pure but for `WaitMemory`, which works without storage.
 */
import type { RunConfig } from '../../../config/config';
import { readStored, writeStored } from '../../base/stored';

/** The parts of the wait, in order. */
export const waitParts = ['prepare', 'copy', 'try'] as const;
export type WaitPart = (typeof waitParts)[number];

/** Milliseconds that parts took once. */
export type PartTimes = Readonly<Partial<Record<WaitPart, number>>>;

/** What is known of the time left; `atLeast` where a part of it was never measured. */
export interface Wait {
  readonly ms: number;
  readonly atLeast: boolean;
}

export class FirstPointClock {
  #parts: readonly WaitPart[] = [];
  #known: PartTimes = {};
  #taken: Partial<Record<WaitPart, number>> = {};
  #part: WaitPart | null = null;
  #startMs = 0;
  #whole = false;
  /** When the part at hand will be over by its own pace; null while that is unknown. */
  #endMs: number | null = null;

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

  /** @param leftMs estimate for the current part from its own pace */
  pace(leftMs: number | null, nowMs: number): void {
    if (leftMs !== null) this.#endMs = nowMs + leftMs;
  }

  /** Discards the measurement: a wait that was interrupted has no meaningful duration. */
  stop(): void {
    this.#part = null;
    this.#whole = false;
  }

  /** Call at the first point. @returns durations of the parts; null if the wait was interrupted */
  end(nowMs: number): PartTimes | null {
    const taken = this.#whole && this.#part === 'try' ? { ...this.#taken, try: nowMs - this.#startMs } : null;
    this.stop();
    return taken;
  }

  /** Null while nothing is known or no run is waiting. */
  left(nowMs: number): Wait | null {
    if (this.#part === null) return null;
    const later = this.#parts.slice(this.#parts.indexOf(this.#part) + 1);
    const times = [this.#leftOf(this.#part, nowMs), ...later.map((part) => this.#known[part])];
    const known = times.filter((time) => time !== undefined);
    const ms = known.reduce((sum, time) => sum + time, 0);
    const atLeast = known.length < times.length;
    return atLeast && ms < 1000 ? null : { ms, atLeast };
  }

  /** Of the current part, by its own pace, else by what it took before. */
  #leftOf(part: WaitPart, nowMs: number): number | undefined {
    const usualMs = this.#known[part];
    if (this.#endMs !== null) return Math.max(0, this.#endMs - nowMs);
    if (usualMs !== undefined) return Math.max(0, this.#startMs + usualMs - nowMs);
    return undefined;
  }
}

/** Key of runs whose parts take the same time: the settings that decide how much is computed. */
export function kindOfRun({
  device,
  environment,
  model,
  text,
  warmStart,
  algorithm,
  rollout,
  filter,
  evaluation,
}: RunConfig): string {
  const { name, options } = environment;
  // The warm start takes the same time where this run skips it for a recorded one.
  const copied = { ...warmStart, recorded: undefined };
  return JSON.stringify([
    device,
    name,
    options,
    model,
    text,
    copied,
    algorithm.name,
    rollout,
    filter,
    evaluation.tasks,
  ]);
}

/**
 * Duration of a config's warm start here: as measured before, else estimated from the training time for one
 * conversation in a run with the same model and device. Null if neither was measured.
 */
export function copyMs(
  config: RunConfig,
  before: PartTimes,
  measured: { readonly config: RunConfig; readonly trainMs: number } | null,
): number | null {
  if (before.copy !== undefined) return before.copy;
  const cost = ({ device, model }: RunConfig) => JSON.stringify([device, model]);
  if (!measured || cost(measured.config) !== cost(config)) return null;
  const { rollout, algorithm } = measured.config;
  const conversationMs = measured.trainMs / (rollout.tasks * rollout.group * algorithm.epochs);
  return conversationMs * config.warmStart.steps * config.warmStart.batch;
}

const storageKey = 'agentlet.waits';
/** Kinds of runs that are remembered, the latest first. */
const remembered = 12;

/** Durations measured in this browser, by kind of run. */
export class WaitMemory {
  #entries: (readonly [kind: string, waits: PartTimes])[] = read();

  of(kind: string): PartTimes {
    return this.#entries.find(([each]) => each === kind)?.[1] ?? {};
  }

  remember(kind: string, waits: PartTimes): void {
    const merged = { ...this.of(kind), ...waits };
    this.#entries = [[kind, merged] as const, ...this.#entries.filter(([each]) => each !== kind)].slice(0, remembered);
    writeStored(storageKey, JSON.stringify(this.#entries));
  }
}

function read(): [string, PartTimes][] {
  try {
    const kept: unknown = JSON.parse(readStored(storageKey) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isEntry) : [];
  } catch {
    return [];
  }
}

function isEntry(entry: unknown): entry is [string, PartTimes] {
  if (!Array.isArray(entry) || typeof entry[0] !== 'string' || typeof entry[1] !== 'object' || entry[1] === null)
    return false;
  return Object.values(entry[1] as object).every((ms) => Number.isFinite(ms) && ms >= 0);
}
