/**
 * Byte-pair encoding over UTF-8 bytes (Sennrich et al. 2016, arXiv 1508.07909): merge k of the list has id 264 + k.
 * Digits are never merged, see `bpe-chunks.ts`. This file applies merges; `bpe-training.ts` finds them.
 */
import { assert } from '../lib/assert';
import { chunksOf, maxTokenBytes } from './bpe-chunks';
import { bytesOf, byteVocabulary, firstByte, labelOf, textOf } from './byte-tokenizer';
import { ownSpecialIds, specialTokens, type Tokenizer } from './tokenizer';

export type Merge = readonly [number, number];

/** A pair of ids as one number: a map's key. Ids stay far below 2^20. */
export function pairKey(left: number, right: number): number {
  return left * 1048576 + right;
}

/** `ids` with every occurrence of (left, right) replaced by `merged`, left to right. */
export function applyMerge(ids: readonly number[], left: number, right: number, merged: number): number[] {
  const result: number[] = [];
  for (let i = 0; i < ids.length; i++) {
    if (ids[i] === left && ids[i + 1] === right) {
      result.push(merged);
      i++;
    } else result.push(ids[i]);
  }
  return result;
}

/** @throws a sentence if a merge has a special token, an id that does not exist yet, or a result that no text has */
export function bpeTokenizer(merges: readonly Merge[]): Tokenizer {
  const bytes = tokenBytes(merges);
  const ranks = new Map(merges.map(([left, right], rank) => [pairKey(left, right), rank]));
  const size = byteVocabulary + merges.length;

  const encodeChunk = (chunk: string): number[] => {
    let ids = Array.from(bytesOf(chunk), (byte) => firstByte + byte);
    for (;;) {
      let best = Infinity;
      for (let i = 0; i + 1 < ids.length; i++)
        best = Math.min(best, ranks.get(pairKey(ids[i], ids[i + 1])) ?? Infinity);
      if (best === Infinity) return ids;
      ids = applyMerge(ids, ...merges[best], byteVocabulary + best);
    }
  };

  return {
    kind: 'bpe',
    size,
    special: ownSpecialIds,
    encode: (text) => chunksOf(text).flatMap(encodeChunk),
    decode: (ids) => textOf(ids.flatMap((id) => bytes[id])),
    label(id) {
      assert(id >= 0 && id < size, () => `token id ${id} is outside a vocabulary of ${size}`);
      return id < firstByte ? specialTokens[id] : labelOf(bytes[id]);
    },
    toJson: () => ({ kind: 'bpe', merges }),
  };
}

/** Bytes of every id; none for special tokens. */
function tokenBytes(merges: readonly Merge[]): number[][] {
  const bytes: number[][] = Array.from({ length: byteVocabulary }, (_, id) => (id < firstByte ? [] : [id - firstByte]));
  for (const [left, right] of merges) {
    const id = bytes.length;
    for (const part of [left, right]) {
      if (!Number.isInteger(part) || part < firstByte || part >= id) {
        throw new Error(
          `The tokenizer's merge ${id - byteVocabulary} joins token ${part}, which is not an ordinary token ` +
            `before ${id}; the file is damaged.`,
        );
      }
    }
    const joined = [...bytes[left], ...bytes[right]];
    // Doubling merges would make tokens of exponential length; a damaged file must not fill the memory.
    if (joined.length > maxTokenBytes)
      throw new Error(
        `The tokenizer's merge ${id - byteVocabulary} makes a token of ${joined.length} bytes, and no text gives ` +
          `one longer than ${maxTokenBytes}; the file is damaged.`,
      );
    bytes.push(joined);
  }
  return bytes;
}
