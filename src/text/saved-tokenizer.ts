/** A tokenizer from the JSON in a checkpoint or a recording. It may come from a stranger, so everything is checked. */
import { bpeTokenizer, type Merge } from './bpe-tokenizer';
import { byteTokenizer } from './byte-tokenizer';
import { characterTokenizer } from './character-tokenizer';
import { withImages } from './image-tokens';
import { tokenizerKinds, type Tokenizer } from './tokenizer';
import { wordTokenizer } from './word-tokenizer';

const maxAlphabet = 4096;
const maxMerges = 65536;
const maxWords = 65536;

/** The inverse of `Tokenizer.toJson`. @throws a sentence */
export function tokenizerFromJson(json: unknown): Tokenizer {
  const parts = Object(json) as Record<string, unknown>;
  const text = textTokenizer(parts);
  return parts.images === true ? withImages(text) : text;
}

function textTokenizer({ kind, alphabet, words, merges }: Record<string, unknown>): Tokenizer {
  if (kind === 'byte') return byteTokenizer();
  if (kind === 'character' || kind === 'word') {
    if (typeof alphabet !== 'string' || alphabet.length > maxAlphabet)
      throw new Error(
        `A ${kind} tokenizer needs an alphabet of at most ${maxAlphabet} characters; the file is damaged.`,
      );
    if (kind === 'character') return characterTokenizer(alphabet);
    if (!Array.isArray(words) || words.length > maxWords || !words.every(isWord))
      throw new Error(
        `A word tokenizer needs a list of at most ${maxWords} words without spaces; the file is damaged.`,
      );
    return wordTokenizer(words, alphabet);
  }
  if (kind === 'bpe') {
    if (!Array.isArray(merges) || merges.length > maxMerges || !merges.every(isPair))
      throw new Error(`A BPE tokenizer needs a list of at most ${maxMerges} pairs of ids; the file is damaged.`);
    return bpeTokenizer(merges);
  }
  if (kind === 'pretrained')
    throw new Error('The tokenizer is that of a pretrained model, and comes with its files: choose the model.');
  throw new Error(`The tokenizer kind ${JSON.stringify(kind)} is not known: there are ${tokenizerKinds.join(', ')}.`);
}

function isWord(value: unknown): value is string {
  return typeof value === 'string' && /^[^ ]{1,64}$/.test(value);
}

function isPair(value: unknown): value is Merge {
  return Array.isArray(value) && value.length === 2;
}
