import { describe, expect, it } from 'vitest';
import { bits, Purpose } from '../../src/lib/rng';
import { bpeTokenizer } from '../../src/text/bpe-tokenizer';
import { trainBpe } from '../../src/text/bpe-training';
import { byteTokenizer } from '../../src/text/byte-tokenizer';
import { characterTokenizer, fallbackId } from '../../src/text/character-tokenizer';
import { tokenizerFromJson } from '../../src/text/saved-tokenizer';
import { specialTokens, type Tokenizer } from '../../src/text/tokenizer';
import { wordTokenizer } from '../../src/text/word-tokenizer';

const corpus = [
  'where was the author of the book born?',
  'the author of the other book was born in Baku',
  '<tool_call>{"name":"search"}</tool_call>',
  '12 + 12 + 12 = 36',
];
const bpe = bpeTokenizer(trainBpe(corpus, 300));
const printable = Array.from({ length: 95 }, (_, i) => String.fromCharCode(32 + i)).join('');
const byWord = wordTokenizer(['the', 'author', 'of', '42', '<end>', '漢字'], printable);
const tokenizers: Tokenizer[] = [byteTokenizer(), bpe, characterTokenizer(printable), byWord];

/** Deterministic strings that mix markers, digits, spaces, several scripts, controls and lone surrogates. */
function awkwardTexts(): string[] {
  const pieces = [
    ...specialTokens,
    '<',
    'e',
    'nd>',
    '7',
    '42',
    '  ',
    '\n',
    '\t',
    'é',
    'ß',
    '漢字',
    '👩‍👩‍👧',
    '\u0000',
    '\uFEFF',
    '\uD800',
    '\uDC00',
    '<|im_end|>',
    '</s>',
    '\u202E',
    '٣',
    'author',
  ];
  return Array.from({ length: 300 }, (_, i) =>
    Array.from({ length: 1 + (i % 9) }, (_, j) => pieces[bits(1, Purpose.task, i, j) % pieces.length]).join(''),
  );
}

describe.each(tokenizers)('$kind tokenizer', (tokenizer) => {
  it('never gives a special id, whatever the text says', () => {
    for (const text of [...awkwardTexts(), specialTokens.join(''), ...specialTokens]) {
      for (const id of tokenizer.encode(text))
        expect(id >= specialTokens.length && id < tokenizer.size, text).toBe(true);
    }
  });

  it('decodes what it encoded', () => {
    for (const text of corpus) expect(tokenizer.decode(tokenizer.encode(text))).toBe(text);
  });

  it('gives no text for special ids and names them in labels', () => {
    const ids = tokenizer.encode('ab');
    expect(tokenizer.decode([0, ids[0], 5, ...ids.slice(1), 7])).toBe('ab');
    expect(specialTokens.map((_, id) => tokenizer.label(id))).toEqual([...specialTokens]);
    expect(() => tokenizer.label(tokenizer.size)).toThrow(/outside a vocabulary/);
  });

  it('comes back equal from its JSON', () => {
    const again = tokenizerFromJson(JSON.parse(JSON.stringify(tokenizer.toJson())));
    expect(again.size).toBe(tokenizer.size);
    expect(again.toJson()).toEqual(tokenizer.toJson());
    for (const text of awkwardTexts()) expect(again.encode(text)).toEqual(tokenizer.encode(text));
  });
});

describe('byte-level tokenizers', () => {
  it.each([byteTokenizer(), bpe])('$kind gives back any well-formed text', (tokenizer) => {
    for (const text of awkwardTexts()) expect(tokenizer.decode(tokenizer.encode(text))).toBe(text.toWellFormed());
  });

  it('shows half a character as its bytes', () => {
    const [lead] = byteTokenizer().encode('é');
    expect(byteTokenizer().label(lead)).toBe('\\xc3');
    expect(byteTokenizer().label(byteTokenizer().encode('a')[0])).toBe('a');
  });
});

describe('character tokenizer', () => {
  it('orders ids by code point, whatever the order of the alphabet', () => {
    expect(characterTokenizer('cabac').encode('abc')).toEqual([fallbackId + 1, fallbackId + 2, fallbackId + 3]);
    expect(characterTokenizer('cabac').toJson()).toEqual({ kind: 'character', alphabet: 'abc' });
  });

  it('counts a character outside the basic plane as one, and maps unknown ones to the fallback', () => {
    const tokenizer = characterTokenizer('a👍');
    expect(tokenizer.encode('a👍b')).toEqual([9, 10, fallbackId]);
    expect(tokenizer.decode(tokenizer.encode('a👍b'))).toBe('a👍\uFFFD');
  });
});

describe('word tokenizer', () => {
  const labels = (text: string) => byWord.encode(text).map((id) => byWord.label(id));

  it('gives a listed word one token, the space between two of them none, and spells the rest', () => {
    expect(labels('the author of 42')).toEqual(['the ', 'author ', 'of ', '42 ']);
    expect(labels('the hat of')).toEqual(['the ', ' ', 'h', 'a', 't', ' ', 'of ']);
    expect(labels('theof author.')).toEqual([...'theof author.']);
  });

  it.each([
    '',
    ' ',
    '  ',
    'the',
    ' the',
    'the ',
    'the  of',
    'the   of',
    ' the of ',
    'a the',
    'the a',
    'a b',
    'the, of',
    'of of of',
  ])('gives back %j, space for space', (text) => {
    expect(byWord.decode(byWord.encode(text))).toBe(text);
  });

  it('does not mind the order of words, nor an alphabet without a space', () => {
    const tokenizer = wordTokenizer(['of', 'the', 'of'], 'ab');
    expect(tokenizer.toJson()).toEqual({ kind: 'word', alphabet: ' ab', words: ['of', 'the'] });
    expect(tokenizer.decode(tokenizer.encode('the a of'))).toBe('the a of');
  });

  it('shows the replacement for a character it lacks, and knows a word that its alphabet cannot spell', () => {
    expect(byWord.decode(byWord.encode('漢字 漢'))).toBe('漢字 \uFFFD');
  });
});

describe('byte-pair encoding', () => {
  it('trains to the same merges on every run and in any order of equal texts', () => {
    expect(trainBpe(corpus, 300)).toEqual(trainBpe([...corpus], 300));
    expect(trainBpe([...corpus].reverse(), 300)).toEqual(trainBpe(corpus, 300));
  });

  it('merges the most frequent pair first and breaks ties by the lowest ids', () => {
    const id = (character: string) => byteTokenizer().encode(character)[0];
    expect(trainBpe(['xy xy xy ab ab'], 266)[0]).toEqual([id('x'), id('y')]);
    expect(trainBpe(['cd', 'ab', 'cd', 'ab'], 266)).toEqual([
      [id('a'), id('b')],
      [id('c'), id('d')],
    ]);
    expect(trainBpe(['aaaa aaaa'], 265)).toEqual([[id('a'), id('a')]]);
  });

  it('never merges what was seen once and stops when nothing is left', () => {
    expect(trainBpe(['abcdef'], 1000)).toEqual([]);
    expect(bpe.size).toBeLessThanOrEqual(300);
  });

  it('keeps every digit a token of its own', () => {
    const numbers = bpeTokenizer(trainBpe(Array<string>(50).fill('1234 1234 x12 12x 3.1415 a1 1a'), 400));
    for (const text of ['1234', 'x12', '12x', ' 99', '3.14', 'a1b2']) {
      const labels = numbers.encode(text).map((token) => numbers.label(token));
      expect(
        labels.filter((label) => /\d/.test(label)),
        text,
      ).toEqual([...text].filter((character) => /\d/.test(character)));
    }
  });

  it('shortens the texts it was trained on', () => {
    expect(bpe.encode(corpus[0]).length).toBeLessThan(byteTokenizer().encode(corpus[0]).length / 1.5);
  });

  it('asks for room for the bytes', () => {
    expect(() => trainBpe(corpus, 64)).toThrow(/at least 264/);
  });
});

describe('a damaged tokenizer file', () => {
  it.each([
    [null, /not known/],
    [{ kind: 'words' }, /"words" is not known/],
    [{ kind: 'character' }, /alphabet/],
    [{ kind: 'character', alphabet: 'a'.repeat(5000) }, /at most 4096/],
    [{ kind: 'word', alphabet: 'ab' }, /list of at most 65536 words/],
    [{ kind: 'word', alphabet: 'ab', words: ['a b'] }, /without spaces/],
    [{ kind: 'word', alphabet: 'ab', words: [''] }, /without spaces/],
    [{ kind: 'word', words: [] }, /A word tokenizer needs an alphabet/],
    [{ kind: 'bpe', merges: [[1]] }, /pairs/],
    [{ kind: 'bpe', merges: [[5, 100]] }, /token 5, which is not an ordinary token/],
    [{ kind: 'bpe', merges: [[264, 100]] }, /token 264/],
    [{ kind: 'bpe', merges: [['100', 100]] }, /token 100/],
    [
      { kind: 'bpe', merges: Array.from({ length: 40 }, (_, i) => (i === 0 ? [100, 100] : [263 + i, 263 + i])) },
      /256 bytes/,
    ],
  ])('%j is refused with a sentence', (json, message) => {
    expect(() => tokenizerFromJson(json)).toThrow(message);
  });
});
