/**
 * Finds byte-pair merges in an environment's own texts. Deterministic: the most frequent pair is merged first, ties go
 * to the pair with the lowest ids, and a pair seen once is never merged, so the same texts give the same vocabulary on
 * every machine.
 */
import { applyMerge, pairKey, type Merge } from './bpe-tokenizer';
import { chunksOf } from './bpe-chunks';
import { bytesOf, byteVocabulary, firstByte } from './byte-tokenizer';

interface Word {
  ids: number[];
  readonly count: number;
}

/**
 * Merges for a vocabulary of at most `size` ids, special tokens and the 256 bytes included; fewer if the texts have no
 * more repeated pairs. Throws a sentence if `size` has no room for the bytes.
 */
export function trainBpe(texts: readonly string[], size: number): Merge[] {
  if (size < byteVocabulary)
    throw new Error(
      `A BPE vocabulary of ${size} tokens is too small for all bytes; choose at least ${byteVocabulary}.`,
    );
  const words = countWords(texts);
  const merges: Merge[] = [];
  while (byteVocabulary + merges.length < size) {
    const best = mostFrequentPair(words);
    if (!best) break;
    const merged = byteVocabulary + merges.length;
    for (const word of words) word.ids = applyMerge(word.ids, ...best, merged);
    merges.push(best);
  }
  return merges;
}

/** Distinct chunks of two bytes and more, with their counts. */
function countWords(texts: readonly string[]): Word[] {
  const counts = new Map<string, number>();
  for (const text of texts) for (const chunk of chunksOf(text)) counts.set(chunk, (counts.get(chunk) ?? 0) + 1);
  return [...counts]
    .map(([chunk, count]) => ({ ids: Array.from(bytesOf(chunk), (byte) => firstByte + byte), count }))
    .filter((word) => word.ids.length > 1);
}

function mostFrequentPair(words: readonly Word[]): Merge | null {
  const pairs = new Map<number, { pair: Merge; count: number }>();
  for (const { ids, count } of words) {
    for (let i = 0; i + 1 < ids.length; i++) {
      const key = pairKey(ids[i], ids[i + 1]);
      const entry = pairs.get(key);
      if (entry) entry.count += count;
      else pairs.set(key, { pair: [ids[i], ids[i + 1]], count });
    }
  }
  let best = { pair: [0, 0] as Merge, count: 1, key: Infinity };
  for (const [key, { pair, count }] of pairs) {
    if (count > best.count || (count === best.count && count > 1 && key < best.key)) best = { pair, count, key };
  }
  return best.count > 1 ? best.pair : null;
}
