/** The smallest tokenizer of a pretrained model: a token for each byte, and the tokens of ChatML behind them. */
import { bytesInMemory, type ByteSource } from '../../src/lib/byte-source';
import { byteCharacters } from '../../src/text/pretrained/tokenizer-file';

/** Ids from 256 on. */
const added = ['<|endoftext|>', '<|im_start|>', '<|im_end|>'];

export const tinyTokenizer = {
  added_tokens: added.map((content, i) => ({ id: 256 + i, content, special: true })),
  normalizer: null,
  pre_tokenizer: { type: 'ByteLevel', add_prefix_space: false },
  decoder: { type: 'ByteLevel' },
  model: {
    type: 'BPE',
    vocab: Object.fromEntries(byteCharacters.map((character, byte) => [character, byte])),
    merges: [] as unknown[],
  },
};

export const tinyTokenizerFile = (): ByteSource =>
  bytesInMemory(new TextEncoder().encode(JSON.stringify(tinyTokenizer)));
