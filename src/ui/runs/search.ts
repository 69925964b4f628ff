/** Which runs a search finds: each of its words stands in the name, note, preset, title or algorithm. */
import type { KeptRun } from '../../worker/protocol';
import { nameOf } from './run-names';

type Searched = Pick<KeptRun, 'id' | 'name' | 'note' | 'title' | 'config'>;

/** @param presetOf the title of the run's preset, where it has one */
export function found<T extends Searched>(
  runs: readonly T[],
  query: string,
  presetOf: (run: T) => string | undefined,
): readonly T[] {
  const words = query.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return runs;
  return runs.filter((run) => {
    const { note, title, config } = run;
    const text = [nameOf(run), note, title, presetOf(run) ?? '', config.algorithm.name].join('\n').toLowerCase();
    return words.every((word) => text.includes(word));
  });
}
