/** Code as text: places (lines and columns from 1, as the sandbox names them), length, and the name of its file. */
import type { Text } from '@codemirror/state';

export interface SourcePlace {
  readonly line: number;
  readonly column: number;
}

/** The place in the environment that a sentence names, or null. */
export function placeIn(sentence: string): SourcePlace | null {
  const [, line, column = '1'] = /environment\.js:(\d{1,5})(?::(\d{1,6}))?/.exec(sentence) ?? [];
  return line === undefined ? null : { line: Number(line), column: Number(column) };
}

/** Where a place is in the text; one past the end of its line, or of the text, is that end. */
export function placeOf(doc: Text, line: number, column: number): number {
  if (line > doc.lines) return doc.length;
  const { from, to } = doc.line(Math.max(1, line));
  return Math.min(to, from + Math.max(0, column - 1));
}

/** From the title that its `meta` names first, as far as it makes a name. */
export function fileNameOf(source: string): string {
  const [, title = ''] = /\btitle:\s*['"`]([^'"`\n]{1,80})['"`]/.exec(source) ?? [];
  const words = title.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? ['environment'];
  return `${words.join('-')}.js`;
}

const encoder = new TextEncoder();

/** Length as UTF-8, which is what the limit counts. */
export const byteLength = (text: string): number => encoder.encode(text).length;
