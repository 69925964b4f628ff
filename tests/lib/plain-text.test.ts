import { expect, test } from 'vitest';
import { escaped, plainText, printable, printableJson, quoted } from '../../src/lib/plain-text';

/**
 * A title, the clipboard, a cleared screen, C1 controls, directions, zero widths, fillers, half a surrogate pair, odd
 * spaces.
 */
const hostile =
  '\x1b]0;a\x07\x1b[2J\x9b1m\x7f\0\r\t\u202e\u2066\u2069\u200e\u200f\u061c\u200b\u200d\u2060\ufeff\u00ad\u3164' +
  '\u2800\ud800\u00a0\u2028';
const kept = 'Größe, 二つ — “π ≈ 3” ▁▅█ é e\u0301 हिंदी ที่นี่ 😀';

test.each([plainText, (text: string) => quoted(text, 99), escaped])('%# what does not show never passes', (clean) => {
  expect(clean(hostile, 99)).not.toMatch(
    /[\0-\x1f\x7f-\x9f\u00ad\u061c\u200b-\u200f\u2028-\u202e\u2060-\u2069\u2800\u3164\ufeff\ud800]/,
  );
});

test('what shows stays as it is', () => {
  expect(plainText(kept, 99)).toBe(kept);
  expect(escaped(kept)).toBe(kept);
  expect(printable(kept)).toBe(kept);
});

test('in a sentence: one line, no longer than asked for', () => {
  expect(plainText('\n'.repeat(120) + 'Open\nthis' + '\n'.repeat(9), 99)).toBe(' Open this ');
  expect(plainText('a\u202eb\x1bc', 99)).toBe('a?b?c');
  expect(plainText('x'.repeat(1e6), 10)).toBe('xxxxxxxxxx…');
  expect(quoted('a "b"\n')).toBe('"a \\"b\\" "');
});

test('in a terminal: nothing is lost, and a line stays a line only where it may', () => {
  expect(escaped('\x1b[2J\u202e\n')).toBe('\\x1b[2J\\u{202e}\\x0a');
  expect(printable('a\nb\r')).toBe('a\nb\\x0d');
});

test('as JSON it means the same', () => {
  const json = printableJson({ [hostile]: hostile, kept });
  expect(JSON.parse(json)).toEqual({ [hostile]: hostile, kept });
  expect(json).not.toMatch(/[\0-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/);
});

test('marks that combine stay where a letter needs them, and cover no other line', () => {
  expect(plainText(`a${'\u0301'.repeat(3000)}`, 99)).toBe(`a${'\u0301'.repeat(3)}${'?'.repeat(95)}…`);
  expect(plainText('"\u0301 \u0488x\u20dd', 99)).toBe('"? ?x?');
});
