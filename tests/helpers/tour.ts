/** Checks the guided tours of ARCHITECTURE.md: each stop names a file, a line and a symbol that stands there. */

/** A stop: `rl/trainer.ts:203` `iterate`. Paths are from `src`, and those of shaders from the root. */
const stop = /`([\w./-]+\.(?:ts|js|svelte|wgsl)):(\d+)` `([^`]+)`/g;

/** Another file or folder that the text names. */
const place = /`((?:[\w-]+\/)+(?:[\w.-]+\.(?:ts|js|mjs|svelte|wgsl))?)`/g;

/**
 * One sentence for each stop that does not hold, with the line to write instead.
 * @param read the text of a file of the repository, or null if there is none
 */
export function tourFaults(text: string, read: (path: string) => string | null): string[] {
  return [...text.matchAll(stop)].flatMap(([, path, number, symbol]) => {
    const lines = read(fromRoot(path))?.split('\n');
    if (!lines) return [`The tour names ${path}, which does not exist.`];
    if (holds(lines[Number(number) - 1] ?? '', symbol)) return [];
    const found = lines.flatMap((line, i) => (holds(line, symbol) ? [i + 1] : []));
    if (found.length === 0) return [`The tour's stop ${path}:${number} names ${symbol}, which is not in that file.`];
    const nearest = found.reduce((a, b) => (Math.abs(b - Number(number)) < Math.abs(a - Number(number)) ? b : a));
    return [`The tour's stop ${path}:${number} does not hold ${symbol}: write ${path}:${nearest}.`];
  });
}

/** One sentence for each file or folder that the text names and that does not exist. */
export function lostPlaces(text: string, exists: (path: string) => boolean): string[] {
  const names = new Set([...text.matchAll(place)].map(([, path]) => path));
  return [...names]
    .filter((path) => !exists(fromRoot(path)) && !exists(path))
    .map((path) => `It names ${path}, which does not exist.`);
}

/** How many stops there are. */
export function stopCount(text: string): number {
  return [...text.matchAll(stop)].length;
}

const fromRoot = (path: string) => (path.startsWith('shaders/') ? path : `src/${path}`);

/** Whether a line has the symbol as a whole word. */
function holds(line: string, symbol: string): boolean {
  const escaped = symbol.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');
  return new RegExp(`(?<![\\w$])${escaped}(?![\\w$])`).test(line);
}
