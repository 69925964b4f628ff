/** ARCHITECTURE.md names files, lines and symbols: they must be where it says. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { lostPlaces, stopCount, tourFaults } from './helpers/tour';

const root = join(import.meta.dirname, '..');
const text = readFileSync(join(root, 'src/ARCHITECTURE.md'), 'utf8');
const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null);

test('each stop of the guided tours is where the tour says', () => {
  expect(tourFaults(text, read)).toEqual([]);
  expect(stopCount(text)).toBeGreaterThan(15);
});

test('each file and folder that is named exists', () => {
  expect(lostPlaces(text, (path) => existsSync(join(root, path)))).toEqual([]);
});

const one = (path: string) => (path === 'src/a.ts' ? 'import b;\nexport function run() {}\nrunner();\n' : null);

test.each([
  ['the right line', '`a.ts:2` `run`', []],
  ['the wrong line', '`a.ts:3` `run`', ["The tour's stop a.ts:3 does not hold run: write a.ts:2."]],
  ['a line behind the end', '`a.ts:9` `run`', ["The tour's stop a.ts:9 does not hold run: write a.ts:2."]],
  ['a symbol that is gone', '`a.ts:2` `walk`', ["The tour's stop a.ts:2 names walk, which is not in that file."]],
  ['a file that is gone', '`b.ts:2` `run`', ['The tour names b.ts, which does not exist.']],
])('a stop with %s', (_, tour, sentences) => {
  expect(tourFaults(tour, one)).toEqual(sentences);
});

test('a lost file is named once, a lost folder too', () => {
  const sentences = ['lib/a.ts', 'lib/b/'].map((path) => `It names ${path}, which does not exist.`);
  expect(lostPlaces('`lib/a.ts` and `lib/a.ts` in `lib/b/` in `src/`', (path) => path === 'src/')).toEqual(sentences);
});
