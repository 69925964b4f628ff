/** Solved tasks by tool calls. A file of its own, so that the page need not load the results' schema. */
import type { MeasuredMoment, ResultRow } from './results';

/** Tasks of a split solved with 0, 1, 2 … tool calls, over the finished seeds. Null if no seed has the counts. */
export function solvedByCalls({ seeds }: ResultRow, split: keyof MeasuredMoment): number[] | null {
  const counts = seeds.flatMap(({ end }) => {
    const solved = end?.[split]?.solvedByCalls;
    return solved ? [solved] : [];
  });
  if (counts.length === 0) return null;
  const most = Math.max(...counts.map(({ length }) => length));
  return Array.from({ length: most }, (_, calls) => counts.reduce((sum, solved) => sum + (solved[calls] ?? 0), 0));
}
