/**
 * One token for each word of a fixed list, and one for each character of other text. Long tool results then cost few
 * tokens, and a name is copied by one. A single space between two listed words is implied and has no token. Words are
 * matched whole: a listed word inside a longer one is spelt.
 */
import { assert } from '../lib/assert';
import { characterTokenizer, fallbackId } from './character-tokenizer';
import { ownSpecialIds, type Tokenizer } from './tokenizer';

/**
 * @param listed Without spaces. Their order and repetitions do not matter, nor those of the alphabet, which gains a
 * space if it has none.
 */
export function wordTokenizer(listed: readonly string[], alphabet: string): Tokenizer {
  const characters = characterTokenizer(`${alphabet} `);
  const words = [...new Set(listed)].sort();
  assert(
    !words.some((word) => word === '' || word.includes(' ')),
    'a word of a word tokenizer is empty or holds a space',
  );
  const firstWord = characters.size;
  const size = firstWord + words.length;
  const ids = new Map(words.map((word, index) => [word, firstWord + index]));

  function encode(input: string): number[] {
    const tokens: number[] = [];
    let afterWord = false;
    for (const [i, chunk] of input.split(' ').entries()) {
      const word = ids.get(chunk);
      if (i > 0 && !(afterWord && word !== undefined)) tokens.push(...characters.encode(' '));
      tokens.push(...(word === undefined ? characters.encode(chunk) : [word]));
      afterWord = word !== undefined;
    }
    return tokens;
  }

  function decode(input: readonly number[]): string {
    const tokens = input.filter((id) => id >= fallbackId);
    return tokens
      .map((id, i) =>
        id < firstWord ? characters.decode([id]) : (tokens[i - 1] >= firstWord ? ' ' : '') + words[id - firstWord],
      )
      .join('');
  }

  return {
    kind: 'word',
    size,
    special: ownSpecialIds,
    encode,
    decode,
    label(id) {
      assert(id >= 0 && id < size, () => `token id ${id} is outside a vocabulary of ${size}`);
      // With its space, so that labels in a row read as text.
      return id < firstWord ? characters.label(id) : `${words[id - firstWord]} `;
    },
    toJson: () => ({ kind: 'word', alphabet: alphabetOf(characters), words }),
  };
}

function alphabetOf(characters: Tokenizer): string {
  return characters.decode(Array.from({ length: characters.size - fallbackId - 1 }, (_, i) => fallbackId + 1 + i));
}
