/** Code that hides something: directions, zero widths and odd spaces are seen before it is run. */
import { expect, test } from 'vitest';
import { sourcePieces } from '../../src/lib/visible-source';

const shown = (source: string): string =>
  sourcePieces(source)
    .map(({ text }) => text)
    .join('');

test('a source with turned comments and invisible names is shown as it runs', () => {
  const trojan =
    "if (level !== 'user\u202e \u2066// only admins\u2069 \u2066') {\n\tconst a\u200bb = 1;\u00a0\u2028}\0\ufeff";
  expect(shown(trojan)).toBe(
    "if (level !== 'user\\u{202e} \\u{2066}// only admins\\u{2069} \\u{2066}') {\n\tconst a\\u{200b}b = " +
      '1;\\u{a0}\\u{2028}}\\u{0}\\u{feff}',
  );
  expect(sourcePieces(trojan).filter(({ hidden }) => hidden)).toHaveLength(7);
});

test('ordinary code is one piece, whatever its language and line ends', () => {
  const source = "const größe = 'שלום 你好 🎲 e\u0301'; // ok\r\n\treturn größe;\n";
  expect(sourcePieces(source)).toEqual([{ text: source.replace('\r\n', '\n'), hidden: false }]);
  expect(sourcePieces('')).toEqual([]);
});

test('lone surrogates, fillers and private characters are escapes too, and long runs of them are one piece', () => {
  expect(shown('\ud800x\u3164\u2800\ue000')).toBe('\\u{d800}x\\u{3164}\\u{2800}\\u{e000}');
  expect(sourcePieces('\u202e'.repeat(65_000))).toHaveLength(1);
});
