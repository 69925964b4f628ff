import { describe, expect, test } from 'vitest';
import { characterTokenizer } from '../../src/text/character-tokenizer';
import { renderMessages, renderReplyHeader, showAction } from '../../src/text/chat-template';
import { bytesOf, imageOf, PatchList, patchesOf, patchLength, prefixKey, sharedTokens } from '../../src/text/image';
import { withImages } from '../../src/text/image-tokens';
import { tokenizerFromJson } from '../../src/text/saved-tokenizer';
import { special, vocabularyOf } from '../../src/text/tokenizer';
import { toolFormats } from '../../src/text/tool-formats/by-name';
import { wordTokenizer } from '../../src/text/word-tokenizer';
import { picture } from '../helpers/images';

describe('an image', () => {
  test('keeps its bytes', () => {
    const bytes = Array.from({ length: 8 * 16 * 3 }, (_, i) => (i * 41) % 256);
    expect([...bytesOf(imageOf(16, 8, bytes))]).toEqual(bytes);
  });

  test('is patches of 8 × 8 pixels, row by row, as numbers from 0 to 1', () => {
    const [width, height] = [24, 16];
    const byteAt = (x: number, y: number, channel: number) => (x * 5 + y * 11 + channel * 70) % 256;
    const bytes = Array.from({ length: width * height * 3 }, (_, i) =>
      byteAt(Math.floor(i / 3) % width, Math.floor(i / 3 / width), i % 3),
    );
    const patches = patchesOf(imageOf(width, height, bytes));
    expect(patches).toHaveLength(6 * patchLength);
    for (let patch = 0; patch < 6; patch++)
      for (let y = 0; y < 8; y++)
        for (let x = 0; x < 8; x++)
          for (let channel = 0; channel < 3; channel++)
            expect(patches[patch * patchLength + (y * 8 + x) * 3 + channel]).toBe(
              Math.fround(byteAt((patch % 3) * 8 + x, Math.floor(patch / 3) * 8 + y, channel) / 255),
            );
  });
});

describe('prompts with images', () => {
  const tokens = [1, 9, 9, 2, 3];
  const of = (key: number, at = 1) => ({ tokens, images: [{ at, image: picture(key) }] });

  test('share what comes before the first image that differs', () => {
    expect(sharedTokens(of(1), of(1))).toBe(5);
    expect(sharedTokens(of(1), of(2))).toBe(1);
    expect(sharedTokens(of(1), { tokens })).toBe(1);
    expect(sharedTokens({ tokens: [1, 9] }, { tokens })).toBe(2);
    const later = { tokens: [...tokens, 9, 9], images: [...of(1).images, { at: 5, image: picture(3) }] };
    expect(sharedTokens(of(1), later)).toBe(5);
  });

  test('have one key if tokens and images are the same', () => {
    expect(prefixKey(of(1), 4)).toBe(prefixKey(of(1), 4));
    expect(prefixKey(of(1), 4)).not.toBe(prefixKey(of(2), 4));
    expect(prefixKey(of(1), 1)).toBe(prefixKey(of(2), 1));
    expect(prefixKey({ tokens: Uint32Array.from(tokens) }, 3)).toBe('1,9,9');
  });

  test('give the patches of a part of their tokens', () => {
    const list = new PatchList();
    list.add(of(1), 2, 5, 10);
    list.add(of(2), 0, 5, 13);
    const { patches, patchPlaces } = list.between(10, 15);
    expect([...patchPlaces]).toEqual([0, 4]);
    expect([...patches.subarray(0, patchLength)]).toEqual([...patchesOf(picture(1)).subarray(patchLength)]);
    expect([...patches.subarray(patchLength)]).toEqual([...patchesOf(picture(2)).subarray(0, patchLength)]);
  });
});

describe('the template', () => {
  const text = characterTokenizer('ab');
  const tokenizer = withImages(text);
  const show = (ids: readonly number[]) => ids.map((id) => tokenizer.label(id)).join('');

  test('writes an <image> for each patch', () => {
    const { tokens, images } = renderMessages(tokenizer, toolFormats.compact, [
      { role: 'user', content: 'ab' },
      { role: 'tool', content: ['a', picture(1), 'b'] },
    ]);
    expect(show([...tokens, ...renderReplyHeader()])).toBe('<user>ab<end><tool>a<image><image>b<end><assistant>');
    expect(images).toEqual([{ at: 6, image: picture(1) }]);
  });

  test('has no image without one', () => {
    expect(renderMessages(tokenizer, toolFormats.compact, [{ role: 'user', content: 'ab' }])).not.toHaveProperty(
      'images',
    );
  });

  test.each([text, wordTokenizer(['ab', 'ba'], 'ab')])('the id is the last of any vocabulary', (inner) => {
    const seeing = withImages(inner);
    expect(vocabularyOf(seeing)).toEqual([...vocabularyOf(inner), '<image>']);
    expect(seeing.encode('ab<image>ba')).toEqual(inner.encode('ab<image>ba'));
    expect(seeing.encode('<image>')).not.toContain(seeing.image);
    expect(seeing.decode([...inner.encode('ab'), seeing.image!])).toBe('ab');
    expect(showAction([...inner.encode('ab'), seeing.image!, special['<end>']], seeing)).toBe('ab');
    const again = tokenizerFromJson(JSON.parse(JSON.stringify(seeing.toJson())));
    expect(vocabularyOf(again)).toEqual(vocabularyOf(seeing));
    expect(again.image).toBe(seeing.image);
  });
});
