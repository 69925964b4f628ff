/** The name with the fewest edits, ignoring case; null if none is near. */
export function nearest(given: string, names: Iterable<string>): string | null {
  let best: string | null = null;
  let minEdits = Math.max(1, Math.floor(given.length / 3)) + 1;
  for (const name of names) {
    const count = edits(given.toLowerCase(), name.toLowerCase());
    if (count < minEdits) [best, minEdits] = [name, count];
  }
  return best;
}

/** The rest of a sentence: ` Did you mean seed?`, or nothing. */
export function didYouMean(given: string, names: Iterable<string>): string {
  const name = nearest(given, names);
  return name === null ? '' : ` Did you mean ${name}?`;
}

/** Characters to insert, remove or replace, or neighbours to exchange. */
function edits(from: string, to: string): number {
  let [before, last] = [[] as number[], Array.from({ length: to.length + 1 }, (_, j) => j)];
  for (let i = 1; i <= from.length; i++) {
    const row = [i];
    for (let j = 1; j <= to.length; j++) {
      const replaced = last[j - 1] + (from[i - 1] === to[j - 1] ? 0 : 1);
      row[j] = Math.min(replaced, last[j] + 1, row[j - 1] + 1);
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1])
        row[j] = Math.min(row[j], before[j - 2] + 1);
    }
    [before, last] = [last, row];
  }
  return last[to.length];
}
