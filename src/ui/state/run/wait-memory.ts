/** What waits took in this browser; it works without storage too. */
import type { RunConfig } from '../../../config/config';
import { costOf } from '../../../config/cost';
import type { PartTimes } from '../../../presentation/time-left';
import { readStored, writeStored } from '../../base/stored';

const storageKey = 'agentlet.waits';
/** Configs of different cost that are remembered, the latest first. */
const remembered = 12;

/** Durations of the wait that were measured in this browser, by cost of the config. */
export class WaitMemory {
  #entries: (readonly [key: string, waits: PartTimes])[] = read();

  of(config: RunConfig): PartTimes {
    const wanted = keyOf(config);
    return this.#entries.find(([key]) => key === wanted)?.[1] ?? {};
  }

  remember(config: RunConfig, waits: PartTimes): void {
    const key = keyOf(config);
    const merged = { ...this.of(config), ...waits };
    this.#entries = [[key, merged] as const, ...this.#entries.filter(([each]) => each !== key)].slice(0, remembered);
    writeStored(storageKey, JSON.stringify(this.#entries));
  }
}

/** The warm start takes the same time where a run skips it for a recorded one. */
const keyOf = (config: RunConfig): string => costOf({ ...config, warmStart: { ...config.warmStart, recorded: true } });

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
