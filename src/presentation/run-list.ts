/** The list of runs: its orders, and the search in it. Pure. */
import { nameOf } from '../lib/run-names';
import type { KeptRun } from '../run/store/saved-run';
import { rowLineOf } from './compared-runs';

export const runOrders = ['latest', 'best', 'world', 'name'] as const;
export type RunOrder = (typeof runOrders)[number];

/** @param latestFirst as they are kept; among equals that order stays */
export function sortedRuns<T extends KeptRun>(latestFirst: readonly T[], order: RunOrder): readonly T[] {
  if (order === 'latest') return latestFirst;
  if (order === 'best') return latestFirst.toSorted((a, b) => resultOf(b) - resultOf(a));
  const wordsOf = order === 'world' ? ({ title }: T) => title : nameOf;
  return latestFirst.toSorted((a, b) => wordsOf(a).localeCompare(wordsOf(b), 'en'));
}

/** Its success, as its row says it; before the first iteration it has none. */
const resultOf = (run: KeptRun): number => rowLineOf(run).result ?? -1;

type Searched = Pick<KeptRun, 'id' | 'name' | 'note' | 'title' | 'config'>;

/** @param titlesOf titles of the run's preset and algorithm */
export function foundRuns<T extends Searched>(
  runs: readonly T[],
  query: string,
  titlesOf: (run: T) => readonly string[],
): readonly T[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return runs;
  return runs.filter((run) => {
    const { note, title, config } = run;
    const text = [nameOf(run), note, title, config.algorithm.name, ...titlesOf(run)].join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
