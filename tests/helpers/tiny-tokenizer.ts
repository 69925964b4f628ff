/** The smallest tokenizer of a pretrained model: a token for each byte, and the tokens of ChatML behind them. */
import { bytesInMemory, type ByteSource } from '../../src/lib/byte-source';
import { byteCharacters } from '../../src/text/pretrained/tokenizer-file';

/** Ids from 256 on. */
const added = ['<|endoftext|>', '<|im_start|>', '<|im_end|>'];

/** Readers in Python want all fields. */
const plain = { single_word: false, lstrip: false, rstrip: false, normalized: false };
const byteLevel = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false };

export const tinyTokenizer = {
  version: '1.0',
  added_tokens: added.map((content, i) => ({ id: 256 + i, content, special: true, ...plain })),
  normalizer: null,
  pre_tokenizer: byteLevel,
  decoder: byteLevel,
  model: {
    type: 'BPE',
    vocab: Object.fromEntries(byteCharacters.map((character, byte) => [character, byte])),
    merges: [] as unknown[],
  },
};

export const tinyTokenizerFile = (): ByteSource =>
  bytesInMemory(new TextEncoder().encode(JSON.stringify(tinyTokenizer)));
