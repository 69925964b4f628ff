/** The reader of results, and the results that ship with the page. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { readResults } from '../../src/share/results';
import { sampleResults } from '../helpers/results';

const [rag, ppo] = sampleResults.rows;
const withRow = (row: object) => ({ ...sampleResults, rows: [{ ...ppo, ...row }] });

test('results are read as they were written', () => {
  expect(readResults(JSON.parse(JSON.stringify(sampleResults)))).toEqual(sampleResults);
});

test.each([
  ['it is no object', [], /the file: |format: /],
  ['the format is newer', { ...sampleResults, format: 2 }, /format: /],
  ['there are no rows', { ...sampleResults, rows: [] }, /rows: /],
  ['the date is none', { ...sampleResults, date: 'yesterday' }, /date: Invalid date/],
  ['a row has no seeds', withRow({ seeds: [] }), /rows\.0\.seeds: /],
  ['a share is none', withRow({ paper: 38.77 }), /rows\.0\.paper: /],
  ['an interval is NaN', withRow({ turns: { mean: NaN, low: 0, high: 1 } }), /rows\.0\.turns\.mean: /],
  ['a seed lacks its end', withRow({ seeds: [{ ...rag.seeds[0], end: undefined }] }), /rows\.0\.seeds\.0\.end: /],
  [
    'a change is an object',
    withRow({ changes: [{ path: 'algorithm', from: {}, to: 1 }] }),
    /rows\.0\.changes\.0\.from: /,
  ],
])('%s', (_, json, why) => {
  expect(() => readResults(json)).toThrow(why);
  expect(() => readResults(json)).toThrow(/not a table of results that this version can show.*npm run experiment/);
});

test('the list of the shipped results names all of them, and each can be read', () => {
  const folder = join(import.meta.dirname, '../../public/results');
  const json = (file: string): unknown => JSON.parse(readFileSync(join(folder, file), 'utf8'));
  const files = readdirSync(folder).filter((file) => file !== 'index.json');
  expect(json('index.json')).toEqual(files.map((file) => file.replace(/\.json$/, '')).sort());
  for (const file of files) expect(`${readResults(json(file)).name}.json`).toBe(file);
});
