/** Places in the code: lines and columns from 1, as sentences of the sandbox name them. */
import type { Text } from '@codemirror/state';

export interface Place {
  readonly line: number;
  readonly column: number;
}

/** The place in the environment that a sentence names, or null. */
export function placeIn(sentence: string): Place | null {
  const [, line, column = '1'] = /environment\.js:(\d{1,5})(?::(\d{1,6}))?/.exec(sentence) ?? [];
  return line === undefined ? null : { line: Number(line), column: Number(column) };
}

/** Where a place is in the text; one past the end of its line, or of the text, is that end. */
export function placeOf(doc: Text, line: number, column: number): number {
  if (line > doc.lines) return doc.length;
  const { from, to } = doc.line(Math.max(1, line));
  return Math.min(to, from + Math.max(0, column - 1));
}
