/** Places in a text of code: lines and columns from 1, as messages of the sandbox name them. */

const encoder = new TextEncoder();

/** Length as UTF-8, which is what the limit counts. */
export const byteLength = (text: string): number => encoder.encode(text).length;

export function placeAt(text: string, offset: number): { readonly line: number; readonly column: number } {
  const before = text.slice(0, offset).split('\n');
  return { line: before.length, column: before[before.length - 1].length + 1 };
}

/** Where a line begins and ends; of a line past the end, the end. */
export function lineRange(text: string, line: number): readonly [start: number, end: number] {
  const lines = text.split('\n');
  const start = lines.slice(0, line - 1).reduce((sum, each) => sum + each.length + 1, 0);
  if (line > lines.length) return [text.length, text.length];
  return [start, start + lines[line - 1].length];
}

/** The line of the environment that a sentence names, or null. */
export function lineIn(sentence: string): number | null {
  const [, line] = /environment\.js:(\d{1,5})\b/.exec(sentence) ?? [];
  return line === undefined ? null : Number(line);
}
