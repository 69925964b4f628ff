/** The scene of worlds whose calls are texts. */
import { expect, test } from 'vitest';
import { transcript } from '../../src/environments/sdk.js';

const texts = (name: string, given: Record<string, string>) => {
  const toolCalls = [{ name, arguments: given, result: 'data sum' }];
  const step = { raw: '', toolCalls, done: false };
  const played = { steps: [step], answer: null, success: null };
  const scene = transcript({ id: '0', prompt: 'sum of the list', data: null }, null, played as never)!;
  return scene.shapes.flatMap((shape) =>
    shape.kind === 'code' ? shape.lines.map((line: { text: string }) => line.text) : [],
  );
};

test('a call is its arguments', () => {
  expect(texts('run', { code: 'sum ( data )' })).toEqual(['sum ( data )', '→ data sum']);
});

test('a call without arguments is its tool', () => {
  expect(texts('names', {})).toEqual(['names', '→ data sum']);
});
