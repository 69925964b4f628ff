/**
 * One token per character (code point) of a fixed alphabet, the smallest vocabulary for a tiny model. Characters
 * outside the alphabet share one fallback id, shown as U+FFFD: decoding them gives the replacement, not the character.
 */
import { assert } from '../lib/assert';
import { ownSpecialIds, specialTokens, type Tokenizer } from './tokenizer';

/** Id of every character that the alphabet lacks. */
export const fallbackId = specialTokens.length;
const firstCharacter = fallbackId + 1;
const replacement = '\uFFFD';

/** The alphabet's order and repetitions do not matter: ids follow code points. */
export function characterTokenizer(alphabet: string): Tokenizer {
  const characters = [...new Set(alphabet)].sort((a, b) => a.codePointAt(0)! - b.codePointAt(0)!);
  const ids = new Map(characters.map((character, index) => [character, firstCharacter + index]));
  const size = firstCharacter + characters.length;
  const text = (id: number) => (id === fallbackId ? replacement : characters[id - firstCharacter]);
  return {
    kind: 'character',
    size,
    special: ownSpecialIds,
    encode: (input) => Array.from(input, (character) => ids.get(character) ?? fallbackId),
    decode: (input) =>
      input
        .filter((id) => id >= fallbackId)
        .map(text)
        .join(''),
    label(id) {
      assert(id >= 0 && id < size, () => `token id ${id} is outside a vocabulary of ${size}`);
      return id < fallbackId ? specialTokens[id] : text(id);
    },
    toJson: () => ({ kind: 'character', alphabet: characters.join('') }),
  };
}
