/**
 * The name with the fewest edits, ignoring case; of equally near ones, one that only adds letters. If none is near, the
 * only one that begins so. Null if there is none.
 */
export function nearest(given: string, names: Iterable<string>): string | null {
  const typed = given.toLowerCase();
  let best: string | null = null;
  const most = Math.max(1, Math.floor(given.length / 3));
  let least = Infinity;
  const longer: string[] = [];
  for (const name of names) {
    const known = name.toLowerCase();
    if (typed.length >= 3 && known.startsWith(typed)) longer.push(name);
    const count = edits(typed, known);
    const distance = count - (addsOnly(typed, known) ? 0.5 : 0);
    if (count <= most && distance < least) [best, least] = [name, distance];
  }
  return best ?? (longer.length === 1 ? longer[0] : null);
}

/** Whether the name has all letters that were typed, in their order. */
function addsOnly(typed: string, name: string): boolean {
  let at = 0;
  for (const letter of name) if (letter === typed[at]) at++;
  return at === typed.length;
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
