/** A tokenizer from the JSON in a checkpoint or a recording. Such files come from strangers, so nothing in them is trusted. */
import { bpeTokenizer, type Merge } from './bpe-tokenizer';
import { byteTokenizer } from './byte-tokenizer';
import { characterTokenizer } from './character-tokenizer';
import type { Tokenizer } from './tokenizer';

const maxAlphabet = 4096;
const maxMerges = 65536;

/** The inverse of `Tokenizer.toJson`. Throws a sentence for anything else. */
export function tokenizerFromJson(json: unknown): Tokenizer {
  const { kind, alphabet, merges } = Object(json) as Record<string, unknown>;
  if (kind === 'byte') return byteTokenizer();
  if (kind === 'character') {
    if (typeof alphabet !== 'string' || alphabet.length > maxAlphabet)
      throw new Error(`A character tokenizer needs an alphabet of at most ${maxAlphabet} characters; the file is damaged.`);
    return characterTokenizer(alphabet);
  }
  if (kind === 'bpe') {
    if (!Array.isArray(merges) || merges.length > maxMerges || !merges.every(isPair))
      throw new Error(`A BPE tokenizer needs a list of at most ${maxMerges} pairs of ids; the file is damaged.`);
    return bpeTokenizer(merges);
  }
  throw new Error(`The tokenizer kind ${JSON.stringify(kind)} is not known; this version knows character, byte and bpe.`);
}

function isPair(value: unknown): value is Merge {
  return Array.isArray(value) && value.length === 2;
}
