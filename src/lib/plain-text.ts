/** Text of a stranger made fit to stand in a sentence of ours: short, and nothing in it that is invisible or turns the line around. */

/** Letters, digits, punctuation, symbols and spaces as they are; every other character (controls, directions, lone surrogates) as `?`. */
export function plainText(text: string, mostCharacters: number): string {
  const characters = [...text.slice(0, 2 * mostCharacters + 2)];
  const plain = characters
    .slice(0, mostCharacters)
    .join('')
    .replace(/[^\p{L}\p{N}\p{P}\p{S} ]/gu, '?');
  return characters.length > mostCharacters ? `${plain}…` : plain;
}

/** The same between quotation marks. */
export function quoted(text: string, mostCharacters = 32): string {
  return JSON.stringify(plainText(text, mostCharacters));
}
