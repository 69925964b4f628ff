/** A stranger's code made readable: invisible and direction-changing characters are written as escapes. */

/** A stretch of the code; a hidden one is written as escapes like `\u{202e}`. */
export interface SourcePiece {
  readonly text: string;
  readonly hidden: boolean;
}

/**
 * Controls, directions, zero widths, fillers, lone surrogates, and every space but the blank, the tab and the end of a
 * line.
 */
export const hiddenCharacter = /[^\p{L}\p{N}\p{P}\p{S}\p{M} \t\n]|[\p{Default_Ignorable_Code_Point}\u2800]/gu;
const hiddenStretch = new RegExp(`(?:${hiddenCharacter.source})+`, 'gu');

export function sourcePieces(source: string): readonly SourcePiece[] {
  const lines = source.replaceAll('\r\n', '\n');
  const pieces: SourcePiece[] = [];
  let from = 0;
  for (const { 0: hidden, index } of lines.matchAll(hiddenStretch)) {
    if (index > from) pieces.push({ text: lines.slice(from, index), hidden: false });
    pieces.push({ text: [...hidden].map(escapeOf).join(''), hidden: true });
    from = index + hidden.length;
  }
  if (from < lines.length) pieces.push({ text: lines.slice(from), hidden: false });
  return pieces;
}

/** Whether any character would be written as an escape. */
export const hasHiddenCharacters = (source: string): boolean =>
  source.replaceAll('\r\n', '\n').search(hiddenCharacter) >= 0;

/** A sentence that may quote a stranger's words, with the same escapes. */
export const visible = (sentence: string): string =>
  sourcePieces(sentence)
    .map((piece) => piece.text)
    .join('');

export const escapeOf = (character: string): string => `\\u{${character.codePointAt(0)!.toString(16)}}`;
