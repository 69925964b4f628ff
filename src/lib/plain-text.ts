/**
 * Words of strangers (links, environments, checkpoints, logs) made fit to stand in a sentence of ours: nothing in them
 * is invisible, ends the line, turns it around or commands a terminal. `plainText` and `quoted` are for sentences;
 * `printable` keeps all there is, for a terminal.
 */

/**
 * What does not show as itself: controls, newlines, directions, zero widths, fillers, lone surrogates, and every space
 * but the blank.
 */
const unseen = /[^\p{L}\p{N}\p{P}\p{S} ]|[\p{Default_Ignorable_Code_Point}\u2800]/gu;

/**
 * A text on one line, cut where it is longer: white space as a blank, letters, digits, punctuation and symbols as they
 * are, all else as `?`.
 */
export function plainText(text: string, mostCharacters: number): string {
  const characters = [...text.slice(0, 4 * mostCharacters + 2).replace(/\s+/g, ' ')];
  const plain = characters.slice(0, mostCharacters).join('').replace(unseen, '?');
  return characters.length > mostCharacters ? `${plain}…` : plain;
}

/** The same between quotation marks. */
export function quoted(text: string, mostCharacters = 32): string {
  return JSON.stringify(plainText(text, mostCharacters));
}

/** The whole text on one line, with `\x1b` or `\u{202e}` in place of what does not show. */
export function escaped(text: string): string {
  return text.replace(unseen, (character) => {
    const code = character.codePointAt(0)!.toString(16);
    return code.length <= 2 ? `\\x${code.padStart(2, '0')}` : `\\u{${code}}`;
  });
}

/** The same line by line. */
export function printable(text: string): string {
  return text.split('\n').map(escaped).join('\n');
}

/**
 * JSON in which strings hold nothing that does not show; it means the same. @param indent spaces a level; 0 is one line
 */
export function printableJson(value: unknown, indent = 0): string {
  const text = JSON.stringify(value, null, indent);
  return text.replace(unseen, (character) =>
    character === '\n'
      ? character
      : Array.from(
          { length: character.length },
          (_, i) => `\\u${character.charCodeAt(i).toString(16).padStart(4, '0')}`,
        ).join(''),
  );
}
