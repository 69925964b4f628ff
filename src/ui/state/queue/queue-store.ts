/**
 * The queue as this browser keeps it. Runs of one order share their environment, whose code and rows may be long, so
 * each environment is stored once.
 */
import { maxRunName, plainText } from '../../../lib/plain-text';
import type { RunConfig } from '../../../config/config';
import { sameJson } from '../../../lib/same-json';
import { hasConfigShape } from '../../../share/config-shape';
import { readStored, queueKey } from '../../base/stored';
import { text } from './text';

export interface QueueItem {
  readonly id: string;
  /** Says what differs from the runs beside it. */
  readonly name: string;
  readonly config: RunConfig;
  /** Its key among the kept runs, once it has begun. */
  readonly runId?: string;
  /** Absent while it waits or is trained. */
  readonly end?: 'done' | 'failed';
  /** Why it failed. */
  readonly reason?: string;
  /** From its beginning to its end, where nothing interrupted it. */
  readonly ms?: number;
}

type Environment = RunConfig['environment'];

interface StoredItem extends Omit<QueueItem, 'config'> {
  readonly config: Omit<RunConfig, 'environment'>;
  /** Place in the list of environments. */
  readonly environment: number;
}

interface StoredQueue {
  readonly environments: readonly Environment[];
  readonly items: readonly StoredItem[];
}

/** Runs that may wait at a time. */
export const maxQueued = 24;
/** Ended runs that the list keeps, the latest. */
const maxEnded = 100;
/** Items that are looked at, whatever is stored. */
const maxRead = 1000;
const maxReason = 1000;

/**
 * Null if nothing is kept, or nothing that can be read. Another version, or another page of the origin, may have
 * written it: items of another shape, or of an id that was there, are left out, as are more than may wait.
 */
export function readQueue(): readonly QueueItem[] | null {
  const { environments, items } = parsed(readStored(queueKey));
  if (!Array.isArray(environments) || !Array.isArray(items)) return null;
  const read = items.slice(0, maxRead).flatMap((each: unknown) => itemOf(each, environments) ?? []);
  const distinct = [...new Map(read.toReversed().map((item) => [item.id, item])).values()].toReversed();
  const waiting = new Set(distinct.filter(({ end }) => !end).slice(0, maxQueued));
  const ended = new Set(distinct.filter(({ end }) => end).slice(-maxEnded));
  return distinct.filter((item) => waiting.has(item) || ended.has(item));
}

/** Items that are stored and that `readQueue` leaves out. */
export function leftOut(): number {
  const { items } = parsed(readStored(queueKey));
  return Array.isArray(items) ? items.length - (readQueue()?.length ?? 0) : 0;
}

function parsed(text: string | null): Partial<Record<keyof StoredQueue, unknown>> {
  try {
    return (JSON.parse(text ?? 'null') ?? {}) as Partial<Record<keyof StoredQueue, unknown>>;
  } catch {
    return {};
  }
}

function itemOf(stored: unknown, environments: readonly unknown[]): QueueItem | null {
  const { id, name, environment, config, runId, end, reason, ms } = (stored ?? {}) as Record<string, unknown>;
  const whole = { ...(config as object), environment: environments[Number(environment)] };
  if (typeof id !== 'string' || id === '' || typeof name !== 'string' || !hasConfigShape(whole)) return null;
  return {
    id,
    name: plainText(name, maxRunName),
    config: whole as RunConfig,
    ...(typeof runId === 'string' && { runId }),
    ...((end === 'done' || end === 'failed') && { end }),
    ...(typeof reason === 'string' && { reason: plainText(reason, maxReason) }),
    ...(typeof ms === 'number' && ms >= 0 && { ms }),
  };
}

/** @returns false if the browser does not keep it; then nothing of it is kept */
export function writeQueue(items: readonly QueueItem[]): boolean {
  const environments: Environment[] = [];
  const placeOf = (environment: Environment): number => {
    const known = environments.findIndex((each) => sameJson(each, environment));
    return known < 0 ? environments.push(environment) - 1 : known;
  };
  const stored: StoredQueue = {
    items: items.map(({ config: { environment, ...config }, ...item }) => ({
      ...item,
      config,
      environment: placeOf(environment),
    })),
    environments,
  };
  try {
    if (items.length === 0) localStorage.removeItem(queueKey);
    else localStorage.setItem(queueKey, JSON.stringify(stored));
    return true;
  } catch {
    forget();
    return false;
  }
}

/** An older queue must not come back in place of the one that could not be stored. */
function forget(): void {
  try {
    localStorage.removeItem(queueKey);
  } catch {
    return;
  }
}

/** Why so many cannot be queued besides those that wait; null if they can. */
export function tooMany(count: number, waiting: number): string | null {
  return count + waiting > maxQueued ? text.form.tooMany(count, waiting, maxQueued) : null;
}
