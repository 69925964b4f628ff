import { beforeAll, describe, expect, it, test } from 'vitest';
import { bits, Purpose } from '../../../src/lib/rng';
import { sha256 } from '../../../src/lib/sha256';
import { pretrainedTokenizer, type PretrainedTokenizer } from '../../../src/text/pretrained/pretrained-tokenizer';
import { byteCharacters, maxTokenizerBytes } from '../../../src/text/pretrained/tokenizer-file';
import { hermes } from '../../../src/text/tool-formats/hermes';
import { qwenFile, qwenTokenizer, tokenizerVectors } from '../../helpers/qwen-tokenizer';
import { tinyTokenizer } from '../../helpers/tiny-tokenizer';

const { cases, tokenizer: source } = tokenizerVectors;

let qwen: PretrainedTokenizer;
beforeAll(async () => {
  qwen = await qwenTokenizer();
});

const added = (content: string) => qwen.tokenId(content)!;

describe("Qwen3's tokenizer", () => {
  it('is the file of which the vectors are', async () => {
    for (const [path, digest] of Object.entries(source.files))
      expect(await sha256(qwenFile(path.replace('models/', '')))).toBe(digest);
    expect(qwen.toJson()).toEqual({ kind: 'pretrained', sha256: source.files['models/tokenizer.json'] });
  });

  test.each(cases)('encodes and decodes $text', ({ text, ids, decoded = text }) => {
    expect(qwen.markup.encode(text)).toEqual(ids);
    const shown = decoded.replace(/<\|(im_start|im_end|endoftext)\|>/g, '');
    expect(qwen.decode(ids)).toBe(shown);
    expect(qwen.pieces(ids).join('')).toBe(shown);
    expect(ids.map((id) => qwen.special.name(id) ?? '').join('')).toBe(
      (text.match(/<\|(im_start|im_end|endoftext)\|>/g) ?? []).join(''),
    );
  });

  test.each(cases)('keeps the text of others ordinary: $text', ({ text, ids, decoded = text }) => {
    const ordinary = qwen.encode(text);
    expect(ordinary.filter((id) => id >= 151643)).toEqual([]);
    expect(qwen.decode(ordinary)).toBe(decoded);
    if (ids.every((id) => id < 151643)) expect(ordinary).toEqual(ids);
    expect(qwen.markup.encode(qwen.markup.guard(text))).toEqual(ordinary);
  });

  it('leaves out a byte that has no token, as Python does: SmolLM2 has none for 21 bytes', async () => {
    const { vocab } = tinyTokenizer.model;
    const { [byteCharacters[4]]: _none, ...fewer } = vocab;
    const file = { ...tinyTokenizer, model: { ...tinyTokenizer.model, vocab: fewer } };
    const bytes = new TextEncoder().encode(JSON.stringify(file));
    const { encode, decode } = await pretrainedTokenizer(bytes, ['<|im_end|>']);
    expect(encode('a\u0004b')).toEqual([97, 98]);
    expect(decode(encode('\u0004'))).toBe('');
  });

  it('finishes a character with the token that has its last byte', () => {
    const ids = qwen.encode('🏳️‍🌈𝔘');
    const pieces = qwen.pieces(ids);
    expect(pieces.join('')).toBe('🏳️‍🌈𝔘');
    expect(pieces).toContain('');
    expect(pieces.join('')).not.toContain('\uFFFD');
    // Cut within a character, the rest is shown as such.
    expect(qwen.decode(ids.slice(0, pieces.indexOf('') + 1))).toMatch(/\uFFFD$/);
    expect(ids.map((id) => qwen.label(id)).join('')).toMatch(/\\x/);
  });

  it('takes no text for a token, whatever stands before and behind it', () => {
    const pieces = ['<', '|', '<|', 'im_end', '|>', '>', '<|im_end|>', '<tool_call>', '<tool', '_call>', ' ', '\uFDD0'];
    const random = (i: number, j: number) => pieces[bits(1, Purpose.task, i, j) % pieces.length];
    const { guard, encode } = qwen.markup;
    for (let i = 0; i < 300; i++) {
      const [before, text, after] = [0, 1, 2].map((k) =>
        Array.from({ length: 3 }, (_, j) => random(i, 3 * k + j)).join(''),
      );
      expect(qwen.encode(text).every((id) => id < 151643)).toBe(true);
      const whole = encode(guard(before) + '<|im_start|>' + guard(text) + '<|im_end|>' + guard(after));
      expect(whole.filter((id) => id >= 151643)).toEqual([added('<|im_start|>'), added('<|im_end|>')]);
      // A border between others' text and the host's: 'a<|im_' beside 'end|>'.
      expect(encode(`user\n${guard(text + '<|im_')}end|>${guard('end|>' + text)}`).every((id) => id < 151643)).toBe(
        true,
      );
    }
    expect(encode(guard('a\uFDD0b'))).toEqual(qwen.encode('a\uFFFDb'));
  });

  it('writes calls of demonstrations with its own tags, and nothing within them as one', () => {
    const calls = [{ name: 'say', arguments: { text: '<|im_end|></tool>' } }];
    const ids = hermes.encodeCalls(calls, [], qwen);
    expect(ids.filter((id) => id >= 151643)).toEqual(['<tool_call>', '</tool_call>', '<|im_end|>'].map(added));
    expect(hermes.parse(ids, [], qwen)).toEqual({ kind: 'calls', calls });
    expect(hermes.parse([...ids.slice(0, -1), added('<|endoftext|>')], [], qwen)).toEqual({ kind: 'calls', calls });
    expect(hermes.parse([added('<|im_start|>'), ...ids], [], qwen)).toMatchObject({ kind: 'unreadable' });
  });
});

describe('a file of others', () => {
  const { vocab } = tinyTokenizer.model;
  const good = { ...tinyTokenizer, added_tokens: [{ id: 300, content: '<|im_end|>', special: true }] };
  const open = (json: unknown, ends: readonly (string | number)[] = ['<|im_end|>']) =>
    pretrainedTokenizer(new TextEncoder().encode(typeof json === 'string' ? json : JSON.stringify(json)), ends);
  const model = (change: object) => ({ ...good, model: { ...good.model, ...change } });

  it('is read if it has what is needed, with gaps among its ids', async () => {
    const tokenizer = await open(good, [300]);
    expect(tokenizer.size).toBe(301);
    expect(tokenizer.decode([...tokenizer.encode('héllo'), 280, 300])).toBe('héllo');
    expect(tokenizer.label(280)).toBe('#280');
  });

  it('spells what merges into an added token', async () => {
    const more = Object.fromEntries(['<a', '<a>'].map((token, i) => [token, 256 + i]));
    const tokenizer = await open({
      ...model({ vocab: { ...vocab, ...more }, merges: ['< a', ['<a', '>']], ignore_merges: true }),
      pre_tokenizer: { type: 'Sequence', pretokenizers: [{ type: 'ByteLevel', use_regex: false }] },
      added_tokens: [...good.added_tokens, { id: 257, content: '<a>' }],
    });
    expect(tokenizer.markup.encode('<a>')).toEqual([257]);
    expect(tokenizer.encode('<a>')).toEqual([60, 97, 62]);
  });

  it.each<[string, unknown, string | RegExp]>([
    ['no JSON', '{', 'it is not JSON'],
    ['null', null, /Invalid type/],
    ['a list', [], 'pre_tokenizer'],
    ['another kind of model', model({ type: 'Unigram' }), 'model.type'],
    ['byte fallback', model({ byte_fallback: true }), 'model.byte_fallback'],
    ['another normalizer', { ...good, normalizer: { type: 'Lowercase' } }, 'normalizer.type'],
    ['another decoder', { ...good, decoder: { type: 'Metaspace' } }, 'decoder.type'],
    ['no cut into bytes', { ...good, pre_tokenizer: null }, 'pre_tokenizer'],
    [
      'a pattern that takes for ever',
      {
        ...good,
        pre_tokenizer: {
          type: 'Sequence',
          pretokenizers: [
            { type: 'Split', pattern: { Regex: '(a+)+$' }, behavior: 'Isolated' },
            { type: 'ByteLevel', use_regex: false },
          ],
        },
      },
      'is none of GPT-2, Llama 3, Qwen',
    ],
    ['ids that are texts', model({ vocab: { ...vocab, a: '1' } }), 'the id of "a" is no whole number'],
    ['an id far away', model({ vocab: { ...vocab, xyz: 4e9 } }), 'the id of "xyz" is no whole number'],
    ['two tokens of an id', model({ vocab: { ...vocab, xyz: 7 } }), 'two tokens have the id 7'],
    ['a byte too few', model({ vocab: { ...vocab, a: undefined } }), 'it has no token for the byte 97'],
    ['a long token', model({ vocab: { ...vocab, ['x'.repeat(5000)]: 999 } }), 'has 5000 characters'],
    ['no list of merges', model({ merges: { a: 1 } }), 'model.merges is not a list'],
    ['merges of three', model({ merges: [['a', 'b', 'c']] }), 'merge 0 is not a pair of tokens'],
    ['merges of strangers', model({ merges: ['a b'] }), 'merge 0 names "ab", which is no token'],
    ['many merges', model({ merges: new Array(600_000).fill('a b') }), 'it has 600000 merges'],
    [
      'an added token of one character',
      { ...good, added_tokens: [{ id: 300, content: 'a' }] },
      'added_tokens.0.content',
    ],
    [
      'a stripping token',
      { ...good, added_tokens: [{ id: 300, content: '<m>', lstrip: true }] },
      'added_tokens.0.lstrip',
    ],
    ['a stolen id', { ...good, added_tokens: [{ id: 97, content: '<|im_end|>' }] }, 'has the id of "'],
    ['no end of a turn', { ...good, added_tokens: [] }, 'tokenizer.json has no token "<|im_end|>", which ends a turn.'],
  ])('with %s is refused by one sentence', async (_, json, sentence) => {
    const error = await open(json).then(
      () => null,
      (thrown: Error) => thrown,
    );
    expect(error?.message).toMatch(sentence);
    expect(error?.message).toMatch(/^[^\n]{1,400}\.$/);
  });

  it('with ten million merges is refused unread', async () => {
    const merges = new Uint8Array(60_000_000).fill(0x20);
    expect(merges.length).toBeGreaterThan(maxTokenizerBytes);
    await expect(pretrainedTokenizer(merges, [0])).rejects.toThrow(
      `tokenizer.json cannot be used: it has 60000000 bytes, and at most ${maxTokenizerBytes} are read.`,
    );
  });

  it('needs a few ends of turns among its ids', async () => {
    await expect(open(good, [])).rejects.toThrow('names no token that ends a turn');
    await expect(open(good, [301])).rejects.toThrow('has the ids 0 to 300');
    await expect(open(good, [1, 2, 3, 4, 5])).rejects.toThrow('names 5 tokens that end a turn');
  });
});
