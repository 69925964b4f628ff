/** Which runs a search finds: each of its words stands in the name, note, titles or algorithm. */
import type { KeptRun } from '../../worker/protocol';
import { nameOf } from './run-names';

type Searched = Pick<KeptRun, 'id' | 'name' | 'note' | 'title' | 'config'>;

/** @param titlesOf titles of the run's preset and algorithm */
export function found<T extends Searched>(
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
