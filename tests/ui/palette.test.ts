/** What the palette finds for typed words. */
import { expect, test } from 'vitest';
import { matching } from '../../src/lib/matching';

const commands = [
  { name: 'Compare the latest runs', kind: 'page' },
  { name: 'Runs', kind: 'page' },
  { name: '4. Masks', kind: 'lesson' },
  { name: 'Calculator', kind: 'world' },
  { name: 'Calculator, small', kind: 'world' },
];
const found = (typed: string) => matching(commands, typed).map(({ name }) => name);

test('all words occur, in any order, in the name or its kind', () => {
  expect(found('lesson mask')).toEqual(['4. Masks']);
  expect(found('small calc')).toEqual(['Calculator, small']);
  expect(found('calc lake')).toEqual([]);
});

test('what begins with the words comes first, the others keep their order', () => {
  expect(found('run')).toEqual(['Runs', 'Compare the latest runs']);
  expect(found(' CALC')).toEqual(['Calculator', 'Calculator, small']);
  expect(found('')).toEqual(commands.map(({ name }) => name));
});
