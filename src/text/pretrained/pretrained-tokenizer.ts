/**
 * The tokenizer of a pretrained model, from its `tokenizer.json`. `@huggingface/tokenizers` cuts and merges ordinary
 * text, and is loaded only here. Added tokens such as `<|im_end|>` and `<tool_call>` never come of a text: only of
 * `markup`, which the host composes and in which it guards what others wrote.
 */
import { quoted } from '../../lib/plain-text';
import { sha256 } from '../../lib/sha256';
import { bytesOf, labelOf } from '../byte-tokenizer';
import type { Markup, Tokenizer } from '../tokenizer';
import { byteCharacters, readTokenizerFile, type AddedToken } from './tokenizer-file';

export interface PretrainedTokenizer extends Tokenizer {
  readonly markup: Markup;
  /** The id of an added token; undefined if there is none of this name. */
  tokenId(content: string): number | undefined;
  /** Text that each id completes: '' for one that ends within a character, which a later one finishes. */
  pieces(ids: readonly number[]): string[];
}

/** As many as a sampler takes. */
const maxEnds = 4;

/** A noncharacter, which no text holds for good reason: where it stands, no name of a token is read. */
const guardMark = '\uFDD0';

/**
 * @param file the bytes of `tokenizer.json`
 * @param ends tokens that end a turn, by name or id; the host writes the first
 * @throws a sentence if it cannot be used
 */
export async function pretrainedTokenizer(
  file: Uint8Array<ArrayBuffer>,
  ends: readonly (string | number)[],
): Promise<PretrainedTokenizer> {
  const { added, vocabulary, parts } = readTokenizerFile(file);
  const { Tokenizer: Library } = await import('@huggingface/tokenizers');
  const library = new Library(parts, {});
  const digest = await sha256(file);
  const byId = new Map(added.map((token) => [token.id, token]));
  const byName = new Map(added.map((token) => [token.content, token.id]));
  const size = Math.max(-1, ...byId.keys(), library.model!.vocab.length - 1) + 1;
  const special = specialIds(ends, added, byName, size);

  const encode = (text: string): number[] => {
    if (text === '') return [];
    // A byte without a token is left out, as in Python.
    const ids = library.encode(text, { add_special_tokens: false }).ids.filter((id) => id !== undefined);
    if (!ids.some((id) => byId.has(id))) return ids;
    // A merge may end in a token that is also an added one: text spells it.
    const spelled = (token: string) => Array.from(token).flatMap((character) => vocabulary[character] ?? []);
    return ids.flatMap((id) => (byId.has(id) ? spelled(library.model!.vocab[id]) : [id]));
  };
  const bytes = (id: number): Uint8Array => {
    if (special.name(id) !== undefined) return new Uint8Array(0);
    const token = byId.get(id)?.content;
    return token === undefined ? bytesOfToken(library.model!.vocab[id] ?? '') : bytesOf(token);
  };
  const pieces = (ids: readonly number[]): string[] => {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true });
    return ids.map((id, i) => decoder.decode(bytes(id), { stream: i + 1 < ids.length }));
  };
  return {
    kind: 'pretrained',
    size,
    special,
    markup: markupOf(added, byName, encode),
    encode,
    pieces,
    decode: (ids) => pieces(ids).join(''),
    label: (id) => byId.get(id)?.content ?? (library.model!.vocab[id] ? labelOf([...bytes(id)]) : `#${id}`),
    tokenId: (content) => byName.get(content),
    toJson: () => ({ kind: 'pretrained', sha256: digest }),
  };
}

function specialIds(
  ends: readonly (string | number)[],
  added: readonly AddedToken[],
  byName: ReadonlyMap<string, number>,
  size: number,
): Tokenizer['special'] {
  const ids = ends.map((end) => {
    const id = typeof end === 'string' ? byName.get(end) : end;
    if (id === undefined) throw new Error(`tokenizer.json has no token ${quoted(String(end))}, which ends a turn.`);
    if (!Number.isInteger(id) || id < 0 || id >= size)
      throw new Error(`The token ${id} is to end a turn, and tokenizer.json has the ids 0 to ${size - 1}.`);
    return id;
  });
  const [first, ...others] = new Set(ids);
  if (first === undefined) throw new Error('The model names no token that ends a turn (eos_token_id).');
  if (others.length >= maxEnds)
    throw new Error(
      `The model names ${others.length + 1} tokens that end a turn, and at most ${maxEnds} are supported.`,
    );
  const names = new Map(added.flatMap(({ id, content, special }) => (special ? [[id, content] as const] : [])));
  for (const id of [first, ...others])
    if (!names.has(id)) names.set(id, added.find((token) => token.id === id)?.content ?? `#${id}`);
  return { ids: [...names.keys()].sort((a, b) => a - b), ends: [first, ...others], name: (id) => names.get(id) };
}

function markupOf(
  added: readonly AddedToken[],
  byName: ReadonlyMap<string, number>,
  encode: (text: string) => number[],
): Markup {
  // The longest first: of two names that begin alike, the longer one is meant.
  const names = [...byName.keys()].sort((a, b) => b.length - a.length);
  const name = new RegExp(`(${names.map(escaped).join('|')})`);
  const isOpen = (text: string) => names.some((each) => endsWithin(text, each));
  const isRest = (text: string) => names.some((each) => beginsWithin(text, each));
  return {
    guard(text) {
      let guarded = text.replaceAll(guardMark, '\uFFFD');
      for (const each of names)
        while (guarded.includes(each)) guarded = guarded.replaceAll(each, each[0] + guardMark + each.slice(1));
      // Half a name at a border must not become whole by what the host writes beside it.
      return (isRest(guarded) ? guardMark : '') + guarded + (isOpen(guarded) ? guardMark : '');
    },
    encode: (text) =>
      (added.length === 0 ? [text] : text.split(name)).flatMap((part, i) =>
        i % 2 === 1 ? [byName.get(part)!] : encode(part.replaceAll(guardMark, '')),
      ),
  };
}

const escaped = (text: string): string => text.replace(/[.*+?^${}()|[\]\\]/g, '\\$&');

/** Whether a beginning of the name, but not all of it, ends the text. */
function endsWithin(text: string, name: string): boolean {
  for (let length = 1; length < name.length; length++) if (text.endsWith(name.slice(0, length))) return true;
  return false;
}

/** Whether an end of the name, but not all of it, begins the text. */
function beginsWithin(text: string, name: string): boolean {
  for (let from = 1; from < name.length; from++) if (text.startsWith(name.slice(from))) return true;
  return false;
}

const byteOf: ReadonlyMap<string, number> = new Map(byteCharacters.map((character, byte) => [character, byte]));

/** A token's characters that stand for no byte are themselves. */
function bytesOfToken(token: string): Uint8Array {
  return Uint8Array.from(Array.from(token).flatMap((character) => byteOf.get(character) ?? [...bytesOf(character)]));
}
