import { expect, test } from 'vitest';
import { isCsv, jsonLinesOfCsv } from '../../src/lib/csv';

const rows = (text: string) =>
  jsonLinesOfCsv(text, 'data.csv')
    .split('\n')
    .map((line) => JSON.parse(line) as unknown);

test.each([
  ['city,price\nyork,20\nbath,3.5\n'],
  ['city;price\r\nyork;20\r\nbath;3.5'],
  ['city\tprice\nyork\t20\n\nbath\t3.5\n'],
  ['\uFEFF"city", price \n"york","20"\nbath , 3.5'],
])('%j', (text) => {
  expect(rows(text)).toEqual([
    { city: 'york', price: 20 },
    { city: 'bath', price: 3.5 },
  ]);
});

test('a quoted value holds separators, lines and quotes', () => {
  expect(rows('a,b\n"x, ""y""\nz",1\nw,')).toEqual([
    { a: 'x, "y"\nz', b: 1 },
    { a: 'w', b: '' },
  ]);
});

test('what is no plain number stays text, and a column may have any name', () => {
  expect(rows('a,__proto__\n007,1e3\n-0.5,0x10')).toEqual([
    JSON.parse('{"a":"007","__proto__":"1e3"}'),
    JSON.parse('{"a":-0.5,"__proto__":"0x10"}'),
  ]);
});

test.each([
  ['', 'There is no row in data.csv'],
  ['city,price\n', 'There is no row in data.csv'],
  ['city,\nyork,1', 'A column of data.csv has no name'],
  ['city,city\nyork,1', 'Two columns of data.csv are called "city"'],
  ['city,price\nyork\n', 'Line 2 of data.csv has 1 values, and the first line names 2.'],
  ['a,b\n"x\ny",1\nz,1,2', 'Line 4 of data.csv has 3 values'],
  ['a,b\n1,"x', 'Line 2 of data.csv has a quote'],
  ['a,b\n1,x"y"', 'Line 2 of data.csv has a quote'],
])('%j is refused by a sentence', (text, sentence) => {
  expect(() => rows(text)).toThrow(sentence);
});

test('a name says whether it is CSV', () => {
  expect(['a.csv', 'a.CSV', 'a.tsv', 'a.jsonl', 'csv'].map(isCsv)).toEqual([true, true, true, false, false]);
});
