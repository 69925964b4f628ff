/** Fields of a tool are made from its JSON schema; what they hold is read by its types. */
import { expect, test } from 'vitest';
import { argumentsOf, fieldsOf } from '../../src/ui/panels/play/tool-fields';

const fields = fieldsOf({
  type: 'object',
  properties: {
    name: { type: 'string', description: 'Of a thing.' },
    count: { type: 'integer' },
    fast: { type: 'boolean' },
    size: { enum: ['s', 2] },
    list: { type: 'array', items: { type: 'number' } },
    note: {},
  },
  required: ['name', 'count'],
});

test('a schema gives a field of its kind for each property', () => {
  expect(fields.map(({ kind }) => kind)).toEqual(['text', 'number', 'flag', 'choice', 'json', 'text']);
  expect(fields[0]).toMatchObject({ name: 'name', hint: 'Of a thing.', isRequired: true });
  expect(fieldsOf({ type: 'object' })).toEqual([]);
});

test('fields are read by their types; empty ones that need not be given are left out', () => {
  expect(argumentsOf(fields, {})).toEqual({ name: '', fast: false });
  const written = { name: ' a', count: ' 4 ', fast: 'true', size: '1', list: '[1, 2]', note: 'x' };
  expect(argumentsOf(fields, written)).toEqual({ name: ' a', count: 4, fast: true, size: 2, list: [1, 2], note: 'x' });
});

test('what cannot be read stays a text, so that the engine says what is wrong', () => {
  expect(argumentsOf(fields, { count: 'four', list: '[1' })).toMatchObject({ count: 'four', list: '[1' });
});
