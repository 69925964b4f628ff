/** Orders of the list of runs. Pure. */
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
