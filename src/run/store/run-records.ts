/**
 * What is kept of every run until the visitor deletes it: a card for the list, a record (metrics and some rollouts),
 * and the visitor's label. Weights are in saved-runs.ts. A label has a key of its own: a run that saves itself never
 * overwrites it.
 */
import { delMany, get, set, type UseStore } from 'idb-keyval';
import { evenly } from '../../lib/evenly';
import { withoutLargeRows } from '../../config/rows';
import { lastValidation, validationCurve } from '../../share/run-metrics';
import type { HistoryState } from '../history';
import type { KeptRun, RunLabel, RunRecord, SavedRun } from './saved-run';
import { cardSchema, fitting, shownLabel } from './stored-shapes';
import { valuesUnder } from './strict-store';

/** What the list shows without reading a record. */
export type Card = SavedRun & Pick<KeptRun, 'curve' | 'validation' | 'unseen'>;

const maxCurve = 40;
export const unlabelled: RunLabel = { name: '', note: '', deleted: false };

const cardKey = (id: string) => `card ${id}`;
const recordKey = (id: string) => `record ${id}`;
const labelKey = (id: string) => `label ${id}`;

export const gone = 'This run is not there any more, or cannot be read: the browser may have cleared it.';

export class KeptRuns {
  constructor(private readonly store: UseStore) {}

  async cards(): Promise<Card[]> {
    return fitting(cardSchema, await valuesUnder(cardKey(''), this.store)) as unknown as Card[];
  }

  /** By the run's id. */
  async labels(): Promise<ReadonlyMap<string, RunLabel>> {
    const labels = await valuesUnder(labelKey(''), this.store);
    return new Map(labels.flatMap((value) => shownLabel(value) ?? []).map((label) => [label.id, label]));
  }

  async record(id: string): Promise<RunRecord | undefined> {
    return get<RunRecord>(recordKey(id), this.store);
  }

  async label(id: string, label: Partial<RunLabel>): Promise<void> {
    const before = shownLabel(await get(labelKey(id), this.store));
    await set(labelKey(id), shownLabel({ ...unlabelled, ...before, ...label, id }), this.store);
  }

  async delete(id: string): Promise<void> {
    await delMany([cardKey(id), recordKey(id), labelKey(id)], this.store);
  }
}

/** What to store beside a snapshot of a run. */
export async function keptEntries(run: SavedRun, history: HistoryState): Promise<[string, unknown][]> {
  return [
    [cardKey(run.id), await cardOf(run, history)],
    [recordKey(run.id), recordOf(history)],
  ];
}

export async function cardOf(run: SavedRun, { curve, metrics }: HistoryState): Promise<Card> {
  return {
    ...run,
    config: await withoutLargeRows(run.config),
    curve: evenly(curve, maxCurve),
    validation: lastValidation(metrics),
    unseen: evenly(validationCurve(metrics), maxCurve),
  };
}

export function recordOf({ metrics, samples = [] }: HistoryState): RunRecord {
  return { metrics, rollouts: samples.flatMap(({ rollouts }) => rollouts) };
}
