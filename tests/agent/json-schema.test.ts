import { describe, expect, it } from 'vitest';
import { schemaProblem, valueProblem } from '../../src/agent/json-schema';
import type { Json } from '../../src/agent/types';

const move: Json = {
  type: 'object',
  description: 'where to',
  properties: {
    direction: { enum: ['up', 'down'] },
    steps: { type: 'integer', minimum: 1, maximum: 9 },
    note: { type: 'string', minLength: 1, maxLength: 5 },
    path: { type: 'array', items: { type: 'number' }, minItems: 1, maxItems: 2 },
    deep: { type: 'object', properties: { flag: { type: 'boolean' } }, additionalProperties: false },
    nothing: { type: 'null' },
  },
  required: ['direction'],
  additionalProperties: false,
};

describe('valueProblem', () => {
  it.each<[Json]>([
    [{ direction: 'up' }],
    [{ direction: 'down', steps: 9, note: 'a👍bcd', path: [1.5, -2], deep: { flag: true }, nothing: null }],
  ])('takes %j', (value) => {
    expect(schemaProblem(move, 'move')).toBeNull();
    expect(valueProblem(move, value)).toBeNull();
  });

  it.each<[Json, string]>([
    ['up', 'arguments must be an object.'],
    [null, 'arguments must be an object.'],
    [[], 'arguments must be an object.'],
    [{}, 'arguments.direction is missing.'],
    [{ direction: 'left' }, 'arguments.direction must be one of "up", "down".'],
    [{ direction: 'up', steps: 1.5 }, 'arguments.steps must be an integer.'],
    [{ direction: 'up', steps: '1' }, 'arguments.steps must be an integer.'],
    [{ direction: 'up', steps: 0 }, 'arguments.steps must be at least 1.'],
    [{ direction: 'up', steps: 10 }, 'arguments.steps must be at most 9.'],
    [{ direction: 'up', note: '' }, 'arguments.note must be at least 1 characters.'],
    [{ direction: 'up', note: 'abcdef' }, 'arguments.note must be at most 5 characters.'],
    [{ direction: 'up', path: [] }, 'arguments.path must be at least 1 items.'],
    [{ direction: 'up', path: [1, 'x'] }, 'arguments.path[1] must be a number.'],
    [{ direction: 'up', deep: { flag: 1 } }, 'arguments.deep.flag must be a boolean.'],
    [{ direction: 'up', deep: { other: 1 } }, 'arguments.deep.other is not a parameter.'],
    [{ direction: 'up', nothing: 0 }, 'arguments.nothing must be a null.'],
    [{ direction: 'up', constructor: 1 }, 'arguments.constructor is not a parameter.'],
    [JSON.parse('{"direction":"up","__proto__":1}') as Json, 'arguments.__proto__ is not a parameter.'],
  ])('says what is wrong with %j', (value, problem) => {
    expect(valueProblem(move, value)).toBe(problem);
  });

  it('does not take an inherited name for a required one', () => {
    expect(valueProblem({ required: ['toString'] }, {})).toBe('arguments.toString is missing.');
  });
});

describe('schemaProblem', () => {
  it.each<[Json, RegExp]>([
    ['string', /must be a JSON schema object/],
    [{ type: 'text' }, /"type" must be one of/],
    [{ type: ['string', 'null'] }, /"type" must be one of/],
    [{ pattern: '(a+)+$' }, /uses "pattern", which is not supported/],
    [{ $ref: '#' }, /uses "\$ref"/],
    [{ properties: { x: { oneOf: [] } } }, /tool\.x uses "oneOf"/],
    [{ items: { enum: 'a' } }, /tool\[\]: "enum" must be a list/],
    [{ required: [1] }, /"required" must be a list of names/],
    [{ minimum: '1' }, /"minimum" must be a number/],
    [{ additionalProperties: {} }, /must be true or false/],
    [{ properties: [] }, /"properties" must be an object/],
    [Array.from({ length: 40 }).reduce<Json>((inner) => ({ items: inner }), {}), /deeper than 16/],
  ])('refuses %j', (schema, problem) => {
    expect(schemaProblem(schema, 'tool')).toMatch(problem);
  });
});
