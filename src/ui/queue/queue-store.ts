/**
 * The queue as this browser keeps it. Runs of one order share their environment, whose code and rows may be long, so
 * each environment is stored once.
 */
import type { RunConfig } from '../../rl/config/config';
import { sameJson } from '../setup/config-path';
import { readStored } from '../shell/stored';
import { queueKey } from './key';

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

/** Null if nothing is kept, or nothing that can be read. */
export function readQueue(): readonly QueueItem[] | null {
  try {
    const { environments, items } = JSON.parse(readStored(queueKey) ?? 'null') as StoredQueue;
    return items.flatMap(({ environment, config, ...item }) => {
      const own = environments[environment];
      const isWhole = typeof item.id === 'string' && typeof item.name === 'string' && own && config;
      return isWhole ? [{ ...item, config: { ...config, environment: own } }] : [];
    });
  } catch {
    return null;
  }
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
