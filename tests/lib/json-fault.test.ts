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
