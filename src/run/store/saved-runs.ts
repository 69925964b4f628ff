/**
 * The runs saved in this browser: the last two snapshots and some checkpoints of the latest four runs, and what
 * run-records.ts keeps of every run. A snapshot is written in one transaction and checked by its digest when read, so a
 * damaged one costs only the work since the one before. The page, not this file, asks the browser for storage space.
 */
import { delMany, get, setMany, type UseStore } from 'idb-keyval';
import { sha256 } from '../../lib/sha256';
import { KeptCheckpoints, withRoom } from './checkpoints';
import { cardOf, gone, keptEntries, KeptRuns, recordOf, unlabelled } from './run-records';
import type { KeptRun, RunLabel, RunRecord, SavedRun } from './saved-run';
import type { RunSnapshot } from './run-snapshot';
import { fitting, headSchema, shownSnapshot } from './stored-shapes';
import { valuesUnder } from './strict-store';

/** Beyond this many runs, the snapshots of the oldest finished ones are deleted first. */
const maxRuns = 4;
const snapshotsPerRun = 2;

interface StoredHead {
  readonly run: SavedRun;
  /** Counts the saves of its run. */
  readonly serial: number;
  /** SHA-256 of the checkpoint, hexadecimal. */
  readonly digest: string;
}

const headKey = (id: string, serial: number) => `head ${id} ${serial % snapshotsPerRun}`;
const stateKey = (id: string, serial: number) => `state ${id} ${serial % snapshotsPerRun}`;
const keysOf = ({ run, serial }: StoredHead) => [headKey(run.id, serial), stateKey(run.id, serial)];

export class SavedRuns {
  readonly checkpoints: KeptCheckpoints;
  private readonly kept: KeptRuns;

  constructor(private readonly store: UseStore) {
    this.checkpoints = new KeptCheckpoints(store);
    this.kept = new KeptRuns(store);
  }

  /** Those that can go on, the latest first. */
  async list(): Promise<SavedRun[]> {
    const labels = await this.kept.labels();
    return newestOfEach(await this.stored()).flatMap(({ run }) => (labels.get(run.id)?.deleted ? [] : run));
  }

  /**
   * Every run, the latest first.
   * @param here the run in the trainer: where nothing can be stored, it is in memory only
   */
  async all(here?: { readonly run: SavedRun; readonly snapshot: RunSnapshot }): Promise<Omit<KeptRun, 'here'>[]> {
    const { stored, cards, labels } = await this.readAll();
    const saved = newestOfEach(stored).map(({ run }) => run);
    const runs = new Map(cards.map((card) => [card.id, card]));
    // Saves of earlier versions have no card.
    for (const run of saved) if (!runs.has(run.id)) runs.set(run.id, { ...run, curve: [], validation: null });
    if (here) runs.set(here.run.id, await cardOf(here.run, here.snapshot.history));
    const resumable = new Set(saved.map(({ id }) => id));
    if (here) resumable.add(here.run.id);
    const labelled = [...runs.values()].map((run) => {
      const label = { ...unlabelled, ...labels.get(run.id) };
      return { ...run, ...label, resumable: resumable.has(run.id) };
    });
    return labelled.filter(({ deleted }) => !deleted).sort((a, b) => b.savedAtMs - a.savedAtMs);
  }

  /** What is stored of all runs: nothing where the browser lets nothing be read. */
  private async readAll() {
    try {
      const [stored, cards, labels] = await Promise.all([this.stored(), this.kept.cards(), this.kept.labels()]);
      return { stored, cards, labels };
    } catch {
      return { stored: [], cards: [], labels: new Map<string, RunLabel>() };
    }
  }

  /** @throws a sentence if there is nothing of this run */
  async record(id: string): Promise<RunRecord> {
    return (await this.kept.record(id)) ?? recordOf(shownSnapshot(await this.load(id)).history);
  }

  /** @throws a sentence if there is nothing of this run */
  async label(id: string, label: Partial<RunLabel>): Promise<void> {
    const [cards, stored] = await Promise.all([this.kept.cards(), this.stored()]);
    if (![...cards, ...stored.map(({ run }) => run)].some((run) => run.id === id)) throw new Error(gone);
    await this.kept.label(id, label);
  }

  /** Deletes for good what the visitor has deleted. */
  async purge(): Promise<void> {
    for (const [id, { deleted }] of await this.kept.labels()) if (deleted) await this.delete(id);
  }

  /**
   * Stores a snapshot in place of the older one of its run.
   * If the space is used up, deletes checkpoints, other runs' first, else the least needed snapshot, and tries once
   * more.
   * @throws the browser's error, such as QuotaExceededError
   */
  async save(run: SavedRun, snapshot: RunSnapshot): Promise<void> {
    const before = await this.stored();
    const serial = 1 + Math.max(0, ...before.filter((each) => each.run.id === run.id).map((each) => each.serial));
    const entry: StoredHead = { run, serial, digest: await sha256(snapshot.checkpoint) };
    const kept = await keptEntries(run, snapshot.history);
    const write = () =>
      setMany([[headKey(run.id, serial), entry], [stateKey(run.id, serial), snapshot], ...kept], this.store);
    const spare = leastNeeded(before, run.id);
    await withRoom(write, [
      () => this.checkpoints.delete(({ id }) => id !== run.id),
      () => this.checkpoints.delete(({ id }) => id === run.id),
      async () => spare !== undefined && (await delMany(keysOf(spare), this.store), true),
    ]);
    await this.prune(run.id, [...before, entry]);
  }

  /** The newest intact snapshot of a run. @throws a sentence if there is none */
  async load(id: string): Promise<RunSnapshot> {
    const entries = (await this.stored()).filter(({ run }) => run.id === id);
    for (const { serial, digest } of entries.sort((a, b) => b.serial - a.serial)) {
      const snapshot = await get<RunSnapshot>(stateKey(id, serial), this.store).catch(() => undefined);
      if (snapshot?.checkpoint instanceof Uint8Array && (await sha256(snapshot.checkpoint)) === digest) return snapshot;
    }
    throw new Error(gone);
  }

  /** Deletes all that there is of a run. */
  async delete(id: string): Promise<void> {
    await this.kept.delete(id);
    await this.checkpoints.delete((place) => place.id === id);
    await delMany((await this.stored()).filter(({ run }) => run.id === id).flatMap(keysOf), this.store);
  }

  private async stored(): Promise<StoredHead[]> {
    return fitting(headSchema, await valuesUnder('head ', this.store)) as unknown as StoredHead[];
  }

  /** @param entries all stored ones; some may be deleted already */
  private async prune(current: string, entries: readonly StoredHead[]): Promise<void> {
    const others = newestOfEach(entries).filter(({ run }) => run.id !== current);
    const expendable = [...others.filter(({ run }) => !run.finished), ...others.filter(({ run }) => run.finished)];
    const gone = new Set(expendable.slice(maxRuns - 1).map(({ run }) => run.id));
    if (gone.size === 0) return;
    await delMany(entries.filter(({ run }) => gone.has(run.id)).flatMap(keysOf), this.store);
    await this.checkpoints.delete(({ id }) => gone.has(id));
  }
}

/** The latest first. */
function newestOfEach(entries: readonly StoredHead[]): StoredHead[] {
  const newest = new Map<string, StoredHead>();
  for (const each of entries) if (each.serial >= (newest.get(each.run.id)?.serial ?? 0)) newest.set(each.run.id, each);
  return [...newest.values()].sort((a, b) => b.run.savedAtMs - a.run.savedAtMs);
}

/** The oldest entry with a newer one of its run, else that of the oldest finished run. */
function leastNeeded(entries: readonly StoredHead[], current: string): StoredHead | undefined {
  const newest = newestOfEach(entries);
  const older = entries.filter((each) => !newest.includes(each)).sort((a, b) => a.run.savedAtMs - b.run.savedAtMs);
  return older[0] ?? newest.findLast(({ run }) => run.finished && run.id !== current);
}
