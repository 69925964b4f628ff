/**
 * Checkpoints of runs at several iterations each, to go back to. The snapshots that a run continues from are in
 * saved-runs.ts. A checkpoint is checked by its digest when it is read. Where space is short they are deleted first.
 */
import { delMany, get, keys, set, type UseStore } from 'idb-keyval';
import { sha256 } from '../../lib/sha256';
import type { RunSnapshot } from './run-snapshot';
import { shownSnapshot } from './stored-shapes';

interface StoredCheckpoint {
  readonly snapshot: RunSnapshot;
  /** SHA-256 of the checkpoint, hexadecimal. */
  readonly digest: string;
}

/** What a key names. */
interface CheckpointKey {
  readonly key: string;
  readonly id: string;
  readonly iteration: number;
}

const keyOf = (id: string, iteration: number) => `checkpoint ${id} ${iteration}`;

export class KeptCheckpoints {
  constructor(private readonly store: UseStore) {}

  /** Iterations of a run's checkpoints, ascending. */
  async list(id: string): Promise<number[]> {
    const own = (await this.places()).filter((place) => place.id === id);
    return own.map(({ iteration }) => iteration).sort((a, b) => a - b);
  }

  /** If the space is used up, deletes those of other runs and tries once more. @throws the browser's error */
  async save(id: string, iteration: number, snapshot: RunSnapshot): Promise<void> {
    const entry: StoredCheckpoint = { snapshot, digest: await sha256(snapshot.checkpoint) };
    const write = () => set(keyOf(id, iteration), entry, this.store);
    await withRoom(write, [() => this.delete((place) => place.id !== id)]);
  }

  /** @throws a sentence if it is not there or damaged */
  async load(id: string, iteration: number): Promise<RunSnapshot> {
    const { snapshot, digest } =
      (await get<Partial<StoredCheckpoint>>(keyOf(id, iteration), this.store).catch(() => null)) ?? {};
    if (snapshot?.checkpoint instanceof Uint8Array && (await sha256(snapshot.checkpoint)) === digest)
      return shownSnapshot(snapshot);
    throw new Error(
      `The checkpoint of iteration ${iteration} is not there any more, or cannot be read: the browser may ` +
        `have cleared it.`,
    );
  }

  /** @returns whether there were any */
  async delete(which: (place: CheckpointKey) => boolean): Promise<boolean> {
    const gone = (await this.places()).filter(which).map(({ key }) => key);
    if (gone.length > 0) await delMany(gone, this.store);
    return gone.length > 0;
  }

  private async places(): Promise<CheckpointKey[]> {
    return (await keys(this.store)).flatMap((key) => {
      if (typeof key !== 'string') return [];
      const [, id, iteration] = /^checkpoint (.+) (\d{1,9})$/.exec(key) ?? [];
      return id === undefined ? [] : { key, id, iteration: Number(iteration) };
    });
  }
}

/**
 * Writes; if there is no space for it, gives up the first thing that there is, and tries once more. More is not given
 * up at a time, because browsers free space late. @throws the browser's error
 */
export async function withRoom(
  write: () => Promise<void>,
  /** Each gives up something, and says whether there was any. */
  givesUp: readonly (() => Promise<boolean>)[],
): Promise<void> {
  try {
    await write();
  } catch (error) {
    if ((error as Error).name !== 'QuotaExceededError') throw error;
    for (const give of givesUp) if (await give()) return write();
    throw error;
  }
}
