/** What of a text a tokenizer cannot write. */
import { fallbackId } from './character-tokenizer';
import type { Tokenizer } from './tokenizer';

/** Characters that become the fallback id, each once, in order; a tokenizer of bytes has none. */
export function unknownCharacters(tokenizer: Tokenizer, text: string): string[] {
  const { kind } = tokenizer;
  if ((kind !== 'character' && kind !== 'word') || !tokenizer.encode(text).includes(fallbackId)) return [];
  const json = tokenizer.toJson();
  if (!('alphabet' in json)) return [];
  const words = new Set(json.kind === 'word' ? json.words : []);
  const known = new Set(json.alphabet);
  const spelled = text.split(' ').filter((word) => !words.has(word));
  return [...new Set(spelled.join(''))].filter((character) => !known.has(character)).sort();
}

/** Such characters for a sentence: `"Ç" (U+00C7)`. Those that cannot be seen are told by their number. */
export function namedCharacters(characters: readonly string[]): string {
  const named = characters.slice(0, maxNamed).map((character) => {
    const code = `U+${character.codePointAt(0)!.toString(16).toUpperCase().padStart(4, '0')}`;
    return /[\p{L}\p{N}\p{P}\p{S}]/u.test(character) ? `"${character}" (${code})` : code;
  });
  return named.join(', ') + (characters.length > maxNamed ? ` and ${characters.length - maxNamed} more` : '');
}

const maxNamed = 12;
