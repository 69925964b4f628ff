/**
 * A `tokenizer.json` of Hugging Face, checked: byte pairs over bytes, as Llama 3, Qwen and SmolLM2 have. A stranger may
 * have written it. So sizes and types are checked before anything is built, and features without support are named.
 */
import * as v from 'valibot';
import { firstIssue } from '../../lib/first-issue';
import { quoted } from '../../lib/plain-text';

/** A longer file is not parsed: a merge takes six bytes, so it cannot hold ten million. */
export const maxTokenizerBytes = 48 * 1024 * 1024;
const maxTokens = 1 << 19;
const maxMerges = 1 << 19;
const maxAdded = 4096;
const maxTokenCharacters = 1024;

/** Alternatives of patterns that are known to take time in proportion to the text; other patterns might not. */
const contractions = "'s|'t|'re|'ve|'m|'ll|'d";
const after = '\\s+(?!\\S)|\\s+';
const lines = `[^\\s\\p{L}\\p{N}]+[\\r\\n]*|\\s*[\\r\\n]+|${after}`;
export const splitPatterns = {
  'GPT-2': `${contractions}| ?\\p{L}+| ?\\p{N}+| ?[^\\s\\p{L}\\p{N}]+|${after}`,
  'Llama 3': `(?i:${contractions})|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}{1,3}| ?${lines}`,
  Qwen: `(?i:${contractions})|[^\\r\\n\\p{L}\\p{N}]?\\p{L}+|\\p{N}| ?${lines}`,
} as const;
const isKnown = (pattern: string): boolean => Object.values<string>(splitPatterns).includes(pattern);
const unknown = `is none of ${Object.keys(splitPatterns).join(', ')}`;

/** Line ends, and what ASCII prints. Real files lack others: SmolLM2's has no token for 21 bytes. */
const ordinaryBytes = [10, ...Array.from({ length: 95 }, (_, i) => 32 + i)];

const none = v.nullish(v.literal(''));
const off = v.optional(v.literal(false), false);

const AddedSchema = v.object({
  id: v.pipe(v.number(), v.integer(), v.minValue(0), v.maxValue(maxTokens - 1)),
  // No mark can stand inside a single character, so it could not be kept apart from text.
  content: v.pipe(v.string(), v.minLength(2), v.maxLength(256)),
  special: v.optional(v.boolean(), false),
  single_word: off,
  lstrip: off,
  rstrip: off,
});

const FileSchema = v.object({
  added_tokens: v.optional(v.pipe(v.array(AddedSchema), v.maxLength(maxAdded)), []),
  normalizer: v.nullish(v.variant('type', [v.object({ type: v.literal('NFC') })]), null),
  pre_tokenizer: v.unknown(),
  decoder: v.object({ type: v.literal('ByteLevel') }),
  model: v.object({
    type: v.literal('BPE'),
    dropout: v.nullish(v.literal(0)),
    continuing_subword_prefix: none,
    end_of_word_suffix: none,
    byte_fallback: off,
    ignore_merges: v.optional(v.boolean(), false),
    vocab: v.unknown(),
    merges: v.unknown(),
  }),
});

const ByteLevelSchema = v.object({
  type: v.literal('ByteLevel'),
  add_prefix_space: off,
  use_regex: v.optional(v.boolean(), true),
});
const StepSchema = v.variant('type', [
  ByteLevelSchema,
  v.object({ type: v.literal('Digits'), individual_digits: v.boolean() }),
  v.object({
    type: v.literal('Split'),
    pattern: v.object({
      Regex: v.pipe(v.string(), v.check(isKnown, unknown)),
    }),
    behavior: v.literal('Isolated'),
    invert: off,
  }),
]);
const PreTokenizerSchema = v.variant('type', [
  ByteLevelSchema,
  v.object({ type: v.literal('Sequence'), pretokenizers: v.pipe(v.array(StepSchema), v.maxLength(8)) }),
]);

export interface AddedToken {
  readonly id: number;
  readonly content: string;
  readonly special: boolean;
}

/** A file that can be used. */
export interface TokenizerFile {
  readonly added: readonly AddedToken[];
  readonly vocabulary: Readonly<Record<string, number>>;
  /** What `@huggingface/tokenizers` builds the tokenizer of ordinary text from: no added token is in it. */
  readonly parts: object;
}

/** @throws a sentence if the file is no tokenizer that can be used */
export function readTokenizerFile(bytes: Uint8Array): TokenizerFile {
  if (bytes.length > maxTokenizerBytes)
    throw wrong(`it has ${bytes.length} bytes, and at most ${maxTokenizerBytes} are read`);
  let json: unknown;
  try {
    json = JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes));
  } catch {
    throw wrong('it is not JSON');
  }
  const file = v.safeParse(FileSchema, json, { abortEarly: true });
  if (!file.success) throw wrong(firstIssue(file.issues));
  const { added_tokens: added, normalizer, model } = file.output;
  const steps = v.safeParse(PreTokenizerSchema, file.output.pre_tokenizer, { abortEarly: true });
  if (!steps.success) throw wrong(`pre_tokenizer: ${firstIssue(steps.issues)}`);
  requireBytesLast(steps.output);
  const vocabulary = requireVocabulary(model.vocab);
  const { type, ignore_merges } = model;
  const merges = requireMerges(model.merges, vocabulary);
  requireAdded(added, vocabulary);
  const bpe = { type, ignore_merges, vocab: vocabulary, merges };
  const parts = { normalizer, pre_tokenizer: steps.output, model: bpe, post_processor: null, decoder: null };
  return { added, vocabulary, parts: { ...parts, added_tokens: [] } };
}

/** Without that step characters would be looked up where bytes are meant. */
function requireBytesLast(steps: v.InferOutput<typeof PreTokenizerSchema>): void {
  const last = steps.type === 'Sequence' ? steps.pretokenizers.at(-1)?.type : steps.type;
  if (last !== 'ByteLevel') throw wrong('its pre_tokenizer does not end in ByteLevel, which makes text bytes');
}

function requireVocabulary(value: unknown): Record<string, number> {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    throw wrong('model.vocab is not an object of tokens and ids');
  const entries = Object.entries(value as Record<string, unknown>);
  if (entries.length > maxTokens)
    throw wrong(`it has ${entries.length} tokens, and at most ${maxTokens} are supported`);
  const seen = new Set<number>();
  for (const [token, id] of entries) {
    if (token.length > maxTokenCharacters) throw wrong(`the token ${quoted(token)} has ${token.length} characters`);
    if (typeof id !== 'number' || !Number.isInteger(id) || id < 0 || id >= maxTokens)
      throw wrong(`the id of ${quoted(token)} is no whole number from 0 to ${maxTokens - 1}`);
    if (seen.has(id)) throw wrong(`two tokens have the id ${id}`);
    seen.add(id);
  }
  // Without a prototype: a token may be called `constructor`.
  const vocabulary = Object.assign(Object.create(null) as Record<string, number>, value);
  const missing = ordinaryBytes.find((byte) => !(byteCharacters[byte] in vocabulary));
  if (missing !== undefined) throw wrong(`it has no token for the byte ${missing}`);
  return vocabulary;
}

function requireMerges(value: unknown, vocabulary: Readonly<Record<string, number>>): [string, string][] {
  if (!Array.isArray(value)) throw wrong('model.merges is not a list');
  if (value.length > maxMerges) throw wrong(`it has ${value.length} merges, and at most ${maxMerges} are supported`);
  return value.map((merge: unknown, rank) => {
    const pair = typeof merge === 'string' ? merge.split(' ') : merge;
    if (!Array.isArray(pair) || pair.length !== 2 || pair.some((part) => typeof part !== 'string' || part === ''))
      throw wrong(`merge ${rank} is not a pair of tokens`);
    const [left, right] = pair as [string, string];
    const stranger = [left, right, left + right].find((token) => !(token in vocabulary));
    if (stranger !== undefined) throw wrong(`merge ${rank} names ${quoted(stranger)}, which is no token`);
    return [left, right];
  });
}

function requireAdded(added: readonly AddedToken[], vocabulary: Readonly<Record<string, number>>): void {
  const owners = new Map(Object.entries(vocabulary).map(([token, id]) => [id, token]));
  for (const { id, content } of added) {
    const owner = owners.get(id);
    if (owner !== undefined && owner !== content)
      throw wrong(`the added token ${quoted(content)} has the id of ${quoted(owner)}`);
    owners.set(id, content);
  }
  if (new Set(added.map(({ content }) => content)).size < added.length) throw wrong('an added token is listed twice');
}

/** The character that stands for each byte in tokens, as GPT-2 began it: printable ones are themselves. */
export const byteCharacters: readonly string[] = characterOfEachByte();

function characterOfEachByte(): string[] {
  const isPrintable = (byte: number) => (byte >= 33 && byte <= 126) || (byte >= 161 && byte !== 173);
  let next = 256;
  return Array.from({ length: 256 }, (_, byte) => String.fromCharCode(isPrintable(byte) ? byte : next++));
}

const wrong = (what: string) => new Error(`tokenizer.json cannot be used: ${what}.`);
