/**
 * Makes strangers' text (of links, environments, checkpoints, logs) safe to show: without invisible characters, line
 * ends, direction marks and terminal controls. `plainText` and `quoted` are for sentences, `printable` for a terminal.
 */

/**
 * Controls, newlines, direction marks, zero widths, fillers, lone surrogates, and every space except the blank. Marks
 * that combine stay on a letter, where Hindi and Thai need them: three at most, which cover nothing else.
 */
const unseen =
  /[^\p{L}\p{N}\p{P}\p{S}\p{Mn}\p{Mc} ]|[\p{Default_Ignorable_Code_Point}\u2800]|(?<![\p{L}\p{N}]\p{M}{0,2})\p{M}/gu;

/** Of a run's name. */
export const maxRunName = 60;

/** A text on one line, cut at `maxCharacters`: white space becomes a blank, other unseen characters `?`. */
export function plainText(text: string, maxCharacters: number): string {
  const characters = [...text.slice(0, 4 * maxCharacters + 2).replace(/\s+/g, ' ')];
  const plain = characters.slice(0, maxCharacters).join('').replace(unseen, '?');
  return characters.length > maxCharacters ? `${plain}…` : plain;
}

/** The same between quotation marks. */
export function quoted(text: string, maxCharacters = 32): string {
  return JSON.stringify(plainText(text, maxCharacters));
}

/** The whole text on one line, with `\x1b` or `\u{202e}` in place of unseen characters. */
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

/** JSON of the same meaning without unseen characters. @param indent spaces a level; 0 is one line */
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

/** A text without unseen characters as the content of an XML element. */
export const xmlText = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
