import { expect, test } from 'vitest';
import { didYouMean, nearest } from '../../src/lib/nearest';

const names = ['seed', 'lr', 'optimizer.learningRate', 'calculator', 'calculator-mini', 'ppo', 'step-ppo'];

test.each([
  ['sed', 'seed'],
  ['seed', 'seed'],
  ['sede', 'seed'],
  ['rl', 'lr'],
  ['ppoo', 'ppo'],
  ['calculater', 'calculator'],
  ['Calculator_mini', 'calculator-mini'],
  ['optimiser.learnigRate', 'optimizer.learningRate'],
  ['maze', null],
  ['', null],
])('%j means %j', (given, meant) => expect(nearest(given, names)).toBe(meant));

test.each([
  ['--sed', '--seed'],
  ['--iter', '--iterations'],
  ['--scr', '--scratch'],
  ['--se', '--set'],
  ['--s', null],
  ['--resme', '--resume'],
])('the flag %j means %j', (given, meant) => {
  expect(nearest(given, ['--preset', '--set', '--seed', '--iterations', '--scratch', '--resume'])).toBe(meant);
});

test('a question follows a sentence, or nothing does', () => {
  expect(didYouMean('sed', names)).toBe(' Did you mean seed?');
  expect(didYouMean('maze', names)).toBe('');
});
