/** Numbers, times and texts as the page writes them, at the places where the words change. */
import { expect, test } from 'vitest';
import {
  beginningOf,
  formatAbout,
  formatAgo,
  formatDate,
  formatKibibytes,
  formatSigned,
  formatSpan,
  lineOf,
  plain,
  plural,
  signed,
} from '../../src/lib/format';
import { text } from '../../src/ui/state/run/share-text';

const seconds = (...all: number[]) => all.map((each) => formatAbout(each * 1000));

test('an estimate is as rough as it is known', () => {
  expect(seconds(0, 1.4, 9.9, 10, 12, 54, 55, 89, 3299, 3300, 7200)).toEqual([
    '1 s',
    '1 s',
    '10 s',
    '10 s',
    '10 s',
    '55 s',
    '1 min',
    '1 min',
    '55 min',
    '0.92 h',
    '2 h',
  ]);
});

test('how long ago is told in minutes, hours and days', () => {
  const minutes = (...all: number[]) => all.map((each) => formatAgo(each * 60_000));
  expect(minutes(-1, 0.9, 1, 59, 60, 119, 1439, 1440)).toEqual([
    'this minute',
    'this minute',
    '1 minute ago',
    '59 minutes ago',
    '1 hour ago',
    '1 hour ago',
    '23 hours ago',
    'yesterday',
  ]);
});

test('a length of time is told in minutes up to an hour and a half', () => {
  expect([0, 60_000, 89 * 60_000, 90 * 60_000].map(formatSpan)).toEqual([
    '1 minute',
    '1 minute',
    '89 minutes',
    '2 hours',
  ]);
});

test('rewards have two decimals and a minus sign; what rounds to zero has none', () => {
  expect([0.5, -1.2, -0.001, 0.004].map(signed)).toEqual(['+0.50', '−1.20', '0.00', '0.00']);
  expect([0.5, -1.2, -0.001].map(plain)).toEqual(['0.50', '−1.20', '0.00']);
  expect([3, -1.54, 0].map(formatSigned)).toEqual(['+3', '−1.5', '0']);
});

test('a date that cannot be read stays as it is', () => {
  expect([formatDate('2026-11-22T10:00:00Z'), formatDate('long ago')]).toEqual(['Nov 22, 2026', 'long ago']);
});

test('lengths of files, and nouns by their number', () => {
  expect([formatKibibytes(1024), formatKibibytes(1536)]).toEqual(['1.0', '1.5']);
  expect([plural(0, 'run'), plural(1, 'run'), plural(2, 'run')]).toEqual(['0 runs', '1 run', '2 runs']);
});

test('the beginning of a text has whole characters only, and a line says that it goes on', () => {
  expect([beginningOf('abc', 3), beginningOf('abcd', 3), beginningOf('ab😀', 3)]).toEqual(['abc', 'abc', 'ab']);
  expect(beginningOf('a😀b', 3)).toBe('a😀');
  expect([lineOf('abc', 3), lineOf('abcd', 3)]).toEqual(['abc', 'abc…']);
});

test('a link of an own run says how far that is', () => {
  const { own } = text.address;
  expect(own({ iteration: 0, finished: false })).toContain('has saved in its warm start.');
  expect(own({ iteration: 1, finished: false })).toContain('has saved at iteration 1.');
  expect(own({ iteration: 9, finished: true })).toContain('has saved.');
});
