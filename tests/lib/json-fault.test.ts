import { expect, test } from 'vitest';
import { jsonFault } from '../../src/lib/json-fault';

test.each([
  ['', 1, 1],
  ['{"a": 1', 1, 8],
  ['{\n  "a": 1\n  "b": 2\n}', 3, 3],
  ['{\n  "a": 1,\n}', 3, 1],
  ['{"a": x}', 1, 7],
  ["{'a': 1}", 1, 2],
  ['[1, 2,, 3]', 1, 7],
  ['{"a": 1} {', 1, 10],
  ['{"a": [1, {"b": 01}]}', 1, 18],
  ['{"a": "never ends\n}', 1, 7],
])('%j is at fault in line %i, column %i', (text, line, column) => {
  expect(() => JSON.parse(text) as unknown).toThrow();
  expect(jsonFault(text)).toEqual({ line, column });
});

test.each<[string, string, number, number]>([
  ['100,000 brackets', '['.repeat(100_000), 1, 100_001],
  ['100,000 nested objects', '{"a":'.repeat(100_000), 1, 500_001],
  ['a fault under 100,000 levels', `${'['.repeat(100_000)}]}`, 1, 100_002],
  ['a text of 20 MB without an end', `{"a": "${'x'.repeat(20_000_000)}`, 1, 7],
  ['a text of 20 MB of escapes without an end', `["${'\\n'.repeat(10_000_000)}`, 1, 2],
  ['20 MB of blanks', `${' '.repeat(20_000_000)}x`, 1, 20_000_001],
  ['a number of 20 MB', `[${'1'.repeat(20_000_000)}`, 1, 20_000_002],
  ['a closing bracket of the other kind', '[{"a": 1]', 1, 9],
  ['an end too many', '[1]]', 1, 4],
  ['an end instead of a value', '{"a": }', 1, 7],
  ['half an escape', '["\\u00"]', 1, 2],
])('%s', (_, text, line, column) => {
  expect(() => JSON.parse(text) as unknown).toThrow();
  expect(jsonFault(text)).toEqual({ line, column });
});
