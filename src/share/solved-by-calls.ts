/**
 * Solved tasks of a row of results by the tool calls that they took. Apart from the format, so that a page that shows
 * it need not load a reader of it.
 */
import type { Moment, ResultRow } from './results';

/**
 * Over the seeds that ended: how many tasks of a split were solved with 0, 1, 2 … tool calls. Null if none of them
 * tells.
 */
export function solvedByCalls({ seeds }: ResultRow, split: keyof Moment): number[] | null {
  const counts = seeds.flatMap(({ end }) => {
    const solved = end?.[split]?.solvedByCalls;
    return solved ? [solved] : [];
  });
  if (counts.length === 0) return null;
  const most = Math.max(...counts.map(({ length }) => length));
  return Array.from({ length: most }, (_, calls) => counts.reduce((sum, solved) => sum + (solved[calls] ?? 0), 0));
}
