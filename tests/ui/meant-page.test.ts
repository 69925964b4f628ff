/** Addresses that people type by hand, and the page that each may have meant. */
import { expect, it } from 'vitest';
import { presets } from '../../src/config/presets';
import { meantBy } from '../../src/ui/state/link-opener';

it.each([
  ['#/editor', 'the editor', '#/lab?own'],
  ['#/edtor', 'the editor', '#/lab?own'],
  ['#/sokobn', 'Sokoban', '#/lab?v=1&preset=sokoban'],
  ['#/lab/calculator-mini', 'Calculator, mini', '#/lab?v=1&preset=calculator-mini'],
  ['#/lesson/2', 'the lessons', '#/learn'],
  ['#/compare', 'your runs', '#/runs'],
  ['#/results', 'the results of the experiments', null],
])('%s is %s', (hash, name, to) => expect(meantBy(hash, presets)).toEqual({ name, hash: to }));

it.each(['#/runners', '#/qwerty', '#lab/x', '#/', ''])('%j is near no page', (hash) => {
  expect(meantBy(hash, presets)).toBeNull();
});
