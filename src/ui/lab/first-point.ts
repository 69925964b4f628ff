/**
 * How long until a run's first point of reinforcement: from the pace of the phase it is in, and from what such a run
 * took before in this browser. Pure but for `WaitMemory`, which works without storage.
 */
import type { RunConfig } from '../../rl/config/config';

/** The parts of the wait, in order. */
export const waitParts = ['prepare', 'copy', 'try'] as const;
export type WaitPart = (typeof waitParts)[number];

/** Milliseconds that parts took once. */
export type Waits = Readonly<Partial<Record<WaitPart, number>>>;

/** What is known of the time left; `atLeast` where a part of it was never measured. */
export interface Wait {
  readonly ms: number;
  readonly atLeast: boolean;
}

export class FirstPointClock {
  #parts: readonly WaitPart[] = [];
  #known: Waits = {};
  #taken: Partial<Record<WaitPart, number>> = {};
  #part: WaitPart | null = null;
  #startMs = 0;
  #whole = false;
  /** When the part at hand will be over by its own pace; null while that is unknown. */
  #endMs: number | null = null;

  /** A run sets out. @param known what such a run took before */
  begin(parts: readonly WaitPart[], known: Waits, nowMs: number): void {
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

  /** What the pace of the part at hand says is left of it. */
  pace(leftMs: number | null, nowMs: number): void {
    if (leftMs !== null) this.#endMs = nowMs + leftMs;
  }

  /** The wait was broken off, if only for a while: what it takes says nothing. */
  stop(): void {
    this.#part = null;
    this.#whole = false;
  }

  /** The first point is there. @returns what the parts took; null if the wait was broken off */
  end(nowMs: number): Waits | null {
    const taken = this.#whole && this.#part === 'try' ? { ...this.#taken, try: nowMs - this.#startMs } : null;
    this.stop();
    return taken;
  }

  /** Null while nothing is known, or nobody waits. */
  left(nowMs: number): Wait | null {
    if (this.#part === null) return null;
    const here =
      this.#endMs ?? (this.#known[this.#part] === undefined ? null : this.#startMs + this.#known[this.#part]!);
    const later = this.#parts.slice(this.#parts.indexOf(this.#part) + 1).map((part) => this.#known[part] ?? null);
    const times = [here === null ? null : Math.max(0, here - nowMs), ...later];
    const ms = times.reduce<number>((sum, time) => sum + (time ?? 0), 0);
    const atLeast = times.includes(null);
    return atLeast && ms < 1000 ? null : { ms, atLeast };
  }
}

/**
 * Runs of one kind take the same time for the same part: all settings but those that only say what is learned, and for
 * how long.
 */
export function kindOfRun({
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
  // Copying takes what it takes, whether this run does it or begins with what was recorded.
  const copied = { ...warmStart, recorded: undefined };
  return JSON.stringify([name, options, model, text, copied, algorithm.name, rollout, filter, evaluation.tasks]);
}

/**
 * What copying a config's examples takes here: what it took before, else by the pace of an iteration of a run with the
 * same model, since both learn from one conversation after another. Null while neither was measured.
 */
export function copyMs(
  config: RunConfig,
  before: Waits,
  measured: { readonly config: RunConfig; readonly trainMs: number } | null,
): number | null {
  if (before.copy !== undefined) return before.copy;
  if (!measured || JSON.stringify(measured.config.model) !== JSON.stringify(config.model)) return null;
  const { rollout, algorithm } = measured.config;
  const conversationMs = measured.trainMs / (rollout.tasks * rollout.group * algorithm.epochs);
  return conversationMs * config.warmStart.steps * config.warmStart.batch;
}

const storageKey = 'agentlet.waits';
/** Kinds of runs that are remembered, the latest first. */
const remembered = 12;

/** What runs took in this browser, by whatever tells their kinds apart. */
export class WaitMemory {
  #entries: (readonly [kind: string, waits: Waits])[] = read();

  of(kind: string): Waits {
    return this.#entries.find(([each]) => each === kind)?.[1] ?? {};
  }

  keep(kind: string, waits: Waits): void {
    const merged = { ...this.of(kind), ...waits };
    this.#entries = [[kind, merged] as const, ...this.#entries.filter(([each]) => each !== kind)].slice(0, remembered);
    try {
      localStorage.setItem(storageKey, JSON.stringify(this.#entries));
    } catch {
      return; // Where storage is forbidden, this page alone remembers.
    }
  }
}

function read(): [string, Waits][] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(storageKey) ?? '[]');
    return Array.isArray(kept) ? kept.filter(isEntry) : [];
  } catch {
    return [];
  }
}

function isEntry(entry: unknown): entry is [string, Waits] {
  if (!Array.isArray(entry) || typeof entry[0] !== 'string' || typeof entry[1] !== 'object' || entry[1] === null)
    return false;
  return Object.values(entry[1] as object).every((ms) => Number.isFinite(ms) && ms >= 0);
}
