/**
 * The text side of a model that is pretrained here, as the files of any other: byte pairs of its own texts, one digit a
 * token, and a ChatML template that names the tools.
 */
import { trainBpe } from '../bpe-training';
import { byteVocabulary, firstByte } from '../byte-tokenizer';
import { turnEnd } from './chatml';
import { byteCharacters, splitPatterns } from './tokenizer-file';

const special = ['<|endoftext|>', '<|im_start|>', turnEnd];
const tags = ['<tool_call>', '</tool_call>', '<tool_response>', '</tool_response>'];

const template = [
  `{% if tools %}{{ '<|im_start|>system\\n' }}{% for tool in tools %}{{ tool.function.name + '\\n' }}{% endfor %}`,
  `{{ '<|im_end|>\\n' }}{% endif %}`,
  `{% for message in messages %}{{ '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}`,
  `{% endfor %}{% if add_generation_prompt %}{{ '<|im_start|>assistant\\n' }}{% endif %}`,
].join('');

export interface SmallText {
  /** Contents by the names of files. */
  readonly files: ReadonlyMap<string, string>;
  /** V */
  readonly size: number;
  /** Id of the token that ends a turn. */
  readonly end: number;
}

/** @param texts that pairs are learned from @param pairs at most */
export function smallText(texts: readonly string[], pairs: number): SmallText {
  const tokens = [...byteCharacters];
  const merges: [string, string][] = [];
  for (const ids of trainBpe(texts, byteVocabulary + pairs)) {
    const [left, right] = ids.map((id) => tokens[id - firstByte]);
    merges.push([left, right]);
    tokens.push(left + right);
  }
  const added = [...special, ...tags].map((content, i) => {
    const rest = { single_word: false, lstrip: false, rstrip: false, normalized: false };
    return { id: tokens.length + i, content, ...rest, special: i < special.length };
  });
  const size = tokens.length + added.length;
  const end = added.find(({ content }) => content === turnEnd)!.id;
  const split = { type: 'Split', pattern: { Regex: splitPatterns.Qwen }, behavior: 'Isolated', invert: false };
  const bytes = { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false };
  const tokenizer = {
    version: '1.0',
    truncation: null,
    padding: null,
    added_tokens: added,
    normalizer: null,
    pre_tokenizer: { type: 'Sequence', pretokenizers: [split, bytes] },
    post_processor: null,
    decoder: { type: 'ByteLevel', add_prefix_space: false, trim_offsets: false, use_regex: false },
    model: {
      type: 'BPE',
      dropout: null,
      unk_token: null,
      continuing_subword_prefix: null,
      end_of_word_suffix: null,
      fuse_unk: false,
      byte_fallback: false,
      vocab: Object.fromEntries(tokens.map((token, id) => [token, id])),
      merges,
    },
  };
  const config = { tokenizer_class: 'PreTrainedTokenizerFast', eos_token: turnEnd, chat_template: template };
  const files = {
    'tokenizer.json': tokenizer,
    'tokenizer_config.json': config,
    'generation_config.json': { eos_token_id: end },
  };
  return {
    files: new Map(Object.entries(files).map(([name, json]) => [name, `${JSON.stringify(json)}\n`])),
    size,
    end,
  };
}
