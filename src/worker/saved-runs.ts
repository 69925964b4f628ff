/**
 * The runs kept in this browser. Of each run two generations of its whole state, each written in one transaction and
 * checked by its digest when read, so that a save that went wrong costs only what came after the one before. It does
 * not know what a state means, and never asks for space: the page does.
 */
import { delMany, get, getMany, keys, setMany, type UseStore } from 'idb-keyval';
import { sha256 } from '../lib/sha256';
import type { HistoryState } from './history';
import type { SavedRun } from './protocol';

/** All that a run needs to go on, and to be shown as it was. */
export interface RunState {
  /** A checkpoint file. */
  readonly checkpoint: Uint8Array<ArrayBuffer>;
  readonly history: HistoryState;
}

/** Runs kept; beyond them the oldest finished ones go first. */
const runLimit = 4;
const generationsOfRun = 2;

interface Generation {
  readonly run: SavedRun;
  /** Counts the saves of its run. */
  readonly serial: number;
  /** SHA-256 of the checkpoint, hexadecimal. */
  readonly digest: string;
}

const headKey = (id: string, serial: number) => `head ${id} ${serial % generationsOfRun}`;
const stateKey = (id: string, serial: number) => `state ${id} ${serial % generationsOfRun}`;
const keysOf = ({ run, serial }: Generation) => [headKey(run.id, serial), stateKey(run.id, serial)];

export class SavedRuns {
  constructor(private readonly store: UseStore) {}

  /** The latest first. */
  async list(): Promise<SavedRun[]> {
    return newestOfEach(await this.generations()).map(({ run }) => run);
  }

  /**
   * Keeps a state of a run in place of its older generation.
   * If the space is used up, the oldest generation that is not needed makes room, once.
   * @throws the browser's QuotaExceededError, or whatever keeps it from storing anything
   */
  async save(run: SavedRun, state: RunState): Promise<void> {
    const before = await this.generations();
    const serial = 1 + Math.max(0, ...before.filter((each) => each.run.id === run.id).map((each) => each.serial));
    const generation: Generation = { run, serial, digest: await sha256(state.checkpoint) };
    const write = () =>
      setMany(
        [
          [headKey(run.id, serial), generation],
          [stateKey(run.id, serial), state],
        ],
        this.store,
      );
    try {
      await write();
    } catch (error) {
      const spare = (error as Error).name === 'QuotaExceededError' ? leastNeeded(before, run.id) : undefined;
      if (!spare) throw error;
      await delMany(keysOf(spare), this.store);
      await write();
    }
    await this.prune(run.id, [...before, generation]);
  }

  /** The newest state of a run that can be read whole. @throws a sentence if there is none */
  async load(id: string): Promise<RunState> {
    const generations = (await this.generations()).filter(({ run }) => run.id === id);
    for (const { serial, digest } of generations.sort((a, b) => b.serial - a.serial)) {
      const state = await get<RunState>(stateKey(id, serial), this.store).catch(() => undefined);
      if (state?.checkpoint instanceof Uint8Array && (await sha256(state.checkpoint)) === digest) return state;
    }
    throw new Error('This saved run is not there any more, or cannot be read: the browser may have cleared it.');
  }

  async forget(id: string): Promise<void> {
    await delMany((await this.generations()).filter(({ run }) => run.id === id).flatMap(keysOf), this.store);
  }

  private async generations(): Promise<Generation[]> {
    const heads = (await keys<string>(this.store)).filter((key) => key.startsWith('head '));
    return (await getMany<Generation | undefined>(heads, this.store)).filter((each) => each !== undefined);
  }

  /** @param generations all there are; it does no harm if some are gone by now */
  private async prune(current: string, generations: readonly Generation[]): Promise<void> {
    const others = newestOfEach(generations).filter(({ run }) => run.id !== current);
    const expendable = [...others.filter(({ run }) => !run.finished), ...others.filter(({ run }) => run.finished)];
    const gone = new Set(expendable.slice(runLimit - 1).map(({ run }) => run.id));
    if (gone.size > 0) await delMany(generations.filter(({ run }) => gone.has(run.id)).flatMap(keysOf), this.store);
  }
}

/** The latest first. */
function newestOfEach(generations: readonly Generation[]): Generation[] {
  const newest = new Map<string, Generation>();
  for (const each of generations)
    if (each.serial >= (newest.get(each.run.id)?.serial ?? 0)) newest.set(each.run.id, each);
  return [...newest.values()].sort((a, b) => b.run.savedAtMs - a.run.savedAtMs);
}

/**
 * The oldest of the generations that have a newer one; else the oldest finished run's; never the last of what somebody
 * may go on with.
 */
function leastNeeded(generations: readonly Generation[], current: string): Generation | undefined {
  const newest = newestOfEach(generations);
  const older = generations.filter((each) => !newest.includes(each)).sort((a, b) => a.run.savedAtMs - b.run.savedAtMs);
  return older[0] ?? newest.findLast(({ run }) => run.finished && run.id !== current);
}
