/**
 * One token per UTF-8 byte: any text, no training, no fallback. Also the base of the byte-pair tokenizer.
 * A lone surrogate is not text; it becomes the three bytes of U+FFFD.
 */
import { assert } from '../lib/assert';
import { ownSpecialIds, specialTokens, type Tokenizer } from './tokenizer';

/** Id of byte 0; byte b has id `firstByte + b`. */
export const firstByte = specialTokens.length;
export const byteVocabulary = firstByte + 256;

const encoder = new TextEncoder();
// Without ignoreBOM the decoder would swallow a leading U+FEFF, and decode(encode(text)) would lose it.
const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
const strictDecoder = new TextDecoder('utf-8', { ignoreBOM: true, fatal: true });

export function bytesOf(text: string): Uint8Array {
  return encoder.encode(text);
}

export function textOf(bytes: readonly number[]): string {
  return decoder.decode(Uint8Array.from(bytes));
}

/**
 * Text of a token's bytes if they are whole characters, else their hexadecimal escapes: half a character cannot be
 * shown.
 */
export function labelOf(bytes: readonly number[]): string {
  try {
    return strictDecoder.decode(Uint8Array.from(bytes));
  } catch {
    return bytes.map((byte) => `\\x${byte.toString(16).padStart(2, '0')}`).join('');
  }
}

export function byteTokenizer(): Tokenizer {
  return {
    kind: 'byte',
    size: byteVocabulary,
    special: ownSpecialIds,
    encode: (text) => Array.from(bytesOf(text), (byte) => firstByte + byte),
    decode: (ids) => textOf(ids.filter((id) => id >= firstByte).map((id) => id - firstByte)),
    label(id) {
      assert(id >= 0 && id < byteVocabulary, () => `token id ${id} is outside a vocabulary of ${byteVocabulary}`);
      return id < firstByte ? specialTokens[id] : labelOf([id - firstByte]);
    },
    toJson: () => ({ kind: 'byte' }),
  };
}
